import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kinds } from "../../provider/kinds";
import { repositoryRoot } from "../../tools/repository";

const document = readFileSync(join(repositoryRoot, "docs", "behavior.md"), "utf8");

/** Codes in the first column of the code table. */
const documented = [
  ...document
    .split("## Plan messages")[1]!
    .split("\n## ")[0]!
    .matchAll(/^\| (`.*?) \|/gm),
]
  .flatMap(([, cell]) => [...cell!.matchAll(/`([a-z-]+)`/g)])
  .map(([, code]) => code!);

test("documents the plan codes of all kinds in docs/behavior.md", () => {
  const codes = Object.values(kinds).flatMap((kind) => Object.keys(kind({}).words));
  const withoutMarks = codes.map((code) => code.replace(/\?$/, ""));
  expect([...documented].sort()).toEqual([...new Set(withoutMarks)].sort());
});
