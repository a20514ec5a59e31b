import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { bashScript } from "../../cli/completion/bash";
import { describeCommands } from "../../cli/completion/command-tree";
import { fishScript } from "../../cli/completion/fish";
import { zshScript } from "../../cli/completion/zsh";
import { createProgram } from "../../cli/program";
import { temporaryFolder } from "../tools/temporary-folder";

const description = describeCommands(createProgram("0.1.0"));
const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof scripts;

const folder = temporaryFolder({
  "agentserver.bash": bashScript(description),
  _agentserver: zshScript(description),
  "agentserver.fish": fishScript(description),
  // Prints what completion adds when the tab key is pressed, and exits.
  ".zshrc": `PROMPT= RPROMPT=
    fpath=("$ZDOTDIR" $fpath)
    autoload -Uz compinit && compinit -u -D
    compadd() {
      if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
        local -a found; builtin compadd -A found "$@"; print -rl -- "<match "$^found">"
      fi
      builtin compadd "$@"
    }
    list-and-end() { zle list; print -r -- "<end>"; exit }
    zle -C list list-choices _main_complete
    zle -N list-and-end
    bindkey "^I" list-and-end
  `,
  "work/preview.json": "",
  "work/my program/index.ts": "",
});
const cwd = join(folder, "work");

/** Functions that ask each shell for its completions of the last word of a command line. */
const complete: Record<Shell, (line: string) => string[]> = {
  bash: (line) => {
    const words = line.replaceAll("=", " = ").split(" ");
    const array = words.map((word) => `'${word}'`).join(" ");
    const script = `source ../agentserver.bash; COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}
      _agentserver; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return linesOf(execFileSync("bash", ["--norc", "-c", script], { cwd, encoding: "utf8" }));
  },
  zsh: (line) => {
    // Completion needs a terminal, which zpty creates.
    const script = `
      zmodload zsh/zpty
      zpty inner zsh -i
      zpty -w -n inner ${quoted(line)}$'\\t'
      zpty -r inner output '*<end>*'
      print -r -- "$output"`;
    const env = { ...process.env, ZDOTDIR: folder };
    const output = execFileSync("zsh", ["-f", "-c", script], { cwd, env, encoding: "utf8", timeout: 20_000 });
    return [...output.matchAll(/<match ([^>\r\n]+)>/g)].map(([, word]) => word!.replaceAll("\\", ""));
  },
  fish: (line) => {
    const script = `source ../agentserver.fish; complete -C ${quoted(line)}`;
    const lines = linesOf(execFileSync("fish", ["-N", "-c", script], { cwd, encoding: "utf8" }));
    return lines.map((text) => text.split("\t")[0]!);
  },
};

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Returns the long options that the help of a command lists. */
function optionsIn(words: string[]): string[] {
  const command = createProgram("0.1.0").commands.find((one) => one.name() === words[0])!;
  return [...command.helpInformation().matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name!);
}

const installed = (Object.keys(scripts) as Shell[]).filter(
  (shell) => spawnSync(shell, ["-c", "exit"]).error === undefined,
);

test("runs bash on every test machine, so that at least one script is tested", () => {
  expect(installed).toContain("bash");
});

describe.each(installed)("in the %s shell", (shell) => {
  const completions = (line: string) => [...new Set(complete[shell](line))].sort();

  test("completes commands", () => {
    expect(completions("agentserver e")).toEqual(["emulate", "export"]);
    expect(completions("agentserver ")).toEqual(
      [...createProgram("0.1.0").commands.map((command) => command.name()), "help"].sort(),
    );
    expect(completions("agentserver help va")).toEqual(["validate"]);
  });

  test.each(createProgram("0.1.0").commands.map((command) => command.name()))(
    "completes the options of %s",
    (name) => {
      expect(completions(`agentserver ${name} --`)).toEqual(optionsIn([name]).sort());
    },
  );

  test("completes the choices for options and arguments", () => {
    expect(completions("agentserver review --format m")).toEqual(["markdown"]);
    expect(completions("agentserver logs support-agent --level ")).toEqual([
      "debug",
      "error",
      "info",
      "warning",
    ]);
    expect(completions("agentserver completion ")).toEqual(["bash", "fish", "zsh"]);
    expect(completions("agentserver status --region ")).toContain("eu");
  });

  test("completes the value after an equals sign", () => {
    const values = completions("agentserver status --dialect=");
    expect(values.map((value) => value.replace("--dialect=", ""))).toEqual(["interface", "langsmith"]);
  });

  test("completes files and folders", () => {
    expect(completions("agentserver review pre").map((name) => name.trim())).toEqual(["preview.json"]);
    const folders = completions("agentserver validate ").map((name) => name.replace(/\/$/, ""));
    expect(folders).toEqual(["my program"]);
    expect(completions("agentserver emulate --state ").map((name) => name.replace(/\/$/, ""))).toEqual([
      "my program",
    ]);
  });

  test("completes nothing after an option that takes arbitrary text or after an unknown command", () => {
    expect(completions("agentserver status --tenant-id ")).toEqual([]);
    expect(completions("agentserver unknown --f")).toEqual([]);
  });
});

test.each(["bash", "zsh", "fish"] as const)("does not list hidden options in the script for %s", (shell) => {
  expect(scripts[shell](description)).not.toMatch(/--api-key[^-]|-l api-key /);
});
