import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AgentServerError, errorCodes, type ErrorFacts } from "../../provider/errors";
import { repositoryRoot } from "../../tools/repository";

const document = readFileSync(join(repositoryRoot, "docs", "errors.md"), "utf8");

/** Sections about error codes, each from its heading to the next one. */
const sections = document
  .split(/^### /m)
  .slice(1)
  .map((section) => ({ code: /^`(.*)`$/m.exec(section)![1]!, text: section }));

/** Names of all facts about errors. A new fact must be added to this object and to the document. */
const facts: Record<keyof ErrorFacts, true> = {
  status: true,
  request: true,
  requestId: true,
  deploymentId: true,
  revisionId: true,
  revisionStatus: true,
  detail: true,
  notProcessed: true,
  timedOut: true,
  final: true,
  retryAfterMs: true,
};

/** Returns the code spans at the start of each row in the table with this header. */
function rowsUnder(heading: string): string[] {
  const [, table = ""] = document.split(`| ${heading} |`);
  return [...table.split("\n\n")[0]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
}

test("has one section per code, in the same order as the source", () =>
  expect(sections.map(({ code }) => code)).toEqual([...errorCodes]));

test.each(sections)("describes how to respond to $code", ({ text }) =>
  expect(text).toMatch(/^\*\*What to do:\*\* \S/m),
);

test("describes exactly the facts that errors can contain", () => {
  expect(rowsUnder("fact").sort()).toEqual(Object.keys(facts).sort());
  const named = sections.flatMap(({ text }) => {
    const [, line = ""] = /^\*\*Facts:\*\* (.*)/m.exec(text) ?? [];
    return [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  });
  expect(named.filter((name) => !(name in facts))).toEqual([]);
});

test("describes every property of an error", () => {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(AgentServerError.prototype))
    .filter(([, descriptor]) => "get" in descriptor)
    .map(([name]) => name)
    // Internal properties.
    .filter((name) => !name.startsWith("_"));
  expect(rowsUnder("property").sort()).toEqual(properties.sort());
});
