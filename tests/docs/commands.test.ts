import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import { issueTemplates, markdown, workflows, type Document } from "./documents";

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** Returns the npm scripts that a string refers to, such as `test:long`; `npm test` is the short form of a script. */
function scriptsIn({ text }: Document): string[] {
  const named = [...text.matchAll(/\bnpm (?:run ([a-z][\w:-]*)|(test|start)\b)/g)];
  return named.map(([, run, short]) => run ?? short!);
}

/** Documents about other projects, which have different scripts. */
const ofOtherProjects = ["examples/gitops/README.md"];

const documents = [...markdown, ...workflows, ...issueTemplates].filter(
  ({ path }) => !ofOtherProjects.includes(path),
);

test.each(documents.map((document) => [document.path, document] as const))(
  "refers only to existing npm scripts in %s",
  (_, document) => expect(scriptsIn(document).filter((name) => !(name in scripts))).toEqual([]),
);

test("has a file in tools/commands and a mention in CONTRIBUTING.md for each npm script", () => {
  // Each script runs tools/run.mjs, which first updates the dependencies.
  const viaRun = /^exec node tools\/run\.mjs (\S+)( .+)?$/;
  expect(Object.values(scripts).filter((script) => !viaRun.test(script))).toEqual([]);
  const commands = Object.values(scripts).map((script) => viaRun.exec(script)![1]!);
  expect(
    commands.filter((name) => !existsSync(join(repositoryRoot, "tools/commands", `${name}.ts`))),
  ).toEqual([]);
  const contributing = markdown.find(({ path }) => path === "CONTRIBUTING.md")!;
  expect([...new Set(scriptsIn(contributing))].sort()).toEqual(Object.keys(scripts).sort());
});
