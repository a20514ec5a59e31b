import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../../cli/program";
import { repositoryRoot } from "../../tools/repository";

const documented = createProgram("0.1.0").commands.map((command) => command.name());

/** Returns the help that a command prints. */
function helpOf(words: readonly string[]): string {
  const { program, output } = silent();
  expect(() => program.parse([...words, "--help"], { from: "user" })).toThrow("(outputHelp)");
  return output.join("");
}

/** Creates the command-line program with actions that only record their calls. Errors are thrown. */
function silent() {
  const output: string[] = [];
  const called: string[] = [];
  const program = createProgram("0.1.0");
  const prepare = (command: Command) => {
    command
      .exitOverride()
      .configureOutput({ writeOut: (text) => output.push(text), writeErr: (text) => output.push(text) });
    if (command !== program) command.action(() => void called.push(command.name()));
    command.commands.forEach(prepare);
  };
  prepare(program);
  return { program, output, called };
}

function examplesIn(help: string): string[] {
  const [, lines = ""] = /^Examples:\n((?: {2}.+\n)+)/m.exec(help) ?? [];
  return lines.split("\n").flatMap((line) => (line === "" ? [] : [line.trim()]));
}

/** Splits a command line into words in the same way as a shell. Removes redirects to files. */
function wordsOf(line: string): string[] {
  const command = line.replace(/ >+ .*$/, "");
  return execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" })
    .trimEnd()
    .split("\n");
}

test.each(
  [[], ...documented.map((name) => [name])].map(
    (words) => [words.join(" ") || "agentserver", words] as const,
  ),
)("shows at least two examples that the parser accepts in the help of %s", (_, words) => {
  const examples = examplesIn(helpOf(words));

  expect(examples.length).toBeGreaterThanOrEqual(2);
  for (const example of examples) {
    const { program, called } = silent();
    const [name, ...rest] = wordsOf(example);
    program.parse(rest, { from: "user" });
    expect([name, called]).toEqual(["agentserver", words.length > 0 ? words : [rest[0]]]);
  }
});

test("includes every command in the list in docs/cli.md", () => {
  const text = readFileSync(join(repositoryRoot, "docs/cli.md"), "utf8");
  const listed = [...text.matchAll(/^\|(.+?)\|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );

  expect(documented.filter((name) => !listed.includes(name))).toEqual([]);
});
