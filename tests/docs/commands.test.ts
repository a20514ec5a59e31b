import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import { issueTemplates, markdown, workflows, type Document } from "./documents";

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** What a text asks its reader to run of our own, such as `test:long`; `npm test` is short for a script, too. */
function scriptsIn({ text }: Document): string[] {
  const named = [...text.matchAll(/\bnpm (?:run ([a-z][\w:-]*)|(test|start)\b)/g)];
  return named.map(([, run, short]) => run ?? short!);
}

/** Documents that speak of projects of their own, which have other scripts. */
const ofOtherProjects = ["examples/gitops/README.md"];

const documents = [...markdown, ...workflows, ...issueTemplates].filter(
  ({ path }) => !ofOtherProjects.includes(path),
);

test.each(documents.map((document) => [document.path, document] as const))(
  "every npm script that %s names exists",
  (_, document) => expect(scriptsIn(document).filter((name) => !(name in scripts))).toEqual([]),
);

test("every script of package.json leads to a command, and CONTRIBUTING.md names it", () => {
  // Each of them first brings the dependencies up to date.
  const viaRun = /^exec node tools\/run\.mjs (\S+)$/;
  expect(Object.values(scripts).filter((script) => !viaRun.test(script))).toEqual([]);
  const commands = Object.values(scripts).map((script) => viaRun.exec(script)![1]!);
  expect(
    commands.filter((name) => !existsSync(join(repositoryRoot, "tools/commands", `${name}.ts`))),
  ).toEqual([]);
  const contributing = markdown.find(({ path }) => path === "CONTRIBUTING.md")!;
  expect([...new Set(scriptsIn(contributing))].sort()).toEqual(Object.keys(scripts).sort());
});
