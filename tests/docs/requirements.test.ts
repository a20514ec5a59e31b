import { readFileSync } from "node:fs";
import { join } from "node:path";
import { oldestNodeOfEmulator, supportedNode } from "../../cli/node-versions";
import { repositoryRoot } from "../../tools/repository";
import { nodes, sdks } from "../reliability/support/supported";
import { markdown } from "./documents";

/** Path of the document with the requirements. */
const place = "docs/requirements.md";
const { text } = markdown.find(({ path }) => path === place)!;

function enginesOf(folder: string): string {
  const manifest = readFileSync(join(repositoryRoot, folder, "package.json"), "utf8");
  return (JSON.parse(manifest) as { engines: { node: string } }).engines.node;
}

test("states the Node.js versions that the packages and the commands require", () => {
  const [[major, minor]] = Object.entries(supportedNode) as [[string, number]];
  for (const folder of ["", "policies"]) expect(enginesOf(folder)).toBe(`>=${major}.${minor}`);
  expect(enginesOf("emulator")).toBe(`>=${oldestNodeOfEmulator}`);
  const bootstrap = readFileSync(join(repositoryRoot, "tools", "run.mjs"), "utf8");
  const [, oldest] = /minNodeVersion = (\d+);/.exec(bootstrap)!;

  const column = [...text.split("## ")[1]!.matchAll(/^\| .* \| (.*) \|$/gm)].map(([, cell]) => cell);
  expect(column.slice(0, 3)).toEqual([
    `${major} (${major}.${minor} or later) and ${Object.keys(supportedNode).at(-1)}`,
    `${oldestNodeOfEmulator} or later`,
    `${oldest} or later`,
  ]);
});

test("states the tested versions", () => {
  for (const row of [
    `| \`@pulumi/pulumi\` | ${sdks.oldest} | ${sdks.newest} |`,
    `| Node 22 | ${nodes.oldest} | ${nodes.newest22} |`,
    `| Node 24 | | ${nodes.newest24} |`,
  ])
    expect(text).toContain(row);
});

test.each(
  markdown.filter(({ path }) => path !== place).map((document) => [document.path, document] as const),
)("does not repeat the required Node.js versions in %s", (_, document) => {
  const claims =
    document.text.match(/[^.|\n]*\b(needs?|requires?)\b[^.|\n]*\bNode(\.js)? \d+[^|\n]*/gi) ?? [];
  const cells = document.text.match(/(?<=\| )[^|\n`]*\bNode\.js \d+(?= \|)/g) ?? [];
  // Claims that mention 22.15 are about features that only some versions of Node.js have.
  expect([...claims, ...cells].filter((claim) => !claim.includes("22.15"))).toEqual([]);
});
