import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AgentServerError, errorCodes, type ErrorFacts } from "../../provider/errors";
import { repositoryRoot } from "../../tools/repository";

const document = readFileSync(join(repositoryRoot, "docs", "errors.md"), "utf8");

/** The sections of the codes: from each heading to the next. */
const sections = document
  .split(/^### /m)
  .slice(1)
  .map((section) => ({ code: /^`(.*)`$/m.exec(section)![1]!, text: section }));

/** All facts, by their names: whoever adds one has to add it here, and then to the document. */
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

/** The words in code that begin the rows of the table under a heading of columns. */
function rowsUnder(heading: string): string[] {
  const [, table = ""] = document.split(`| ${heading} |`);
  return [...table.split("\n\n")[0]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
}

test("every code has its section, in the order of the code, and there is no section without one", () =>
  expect(sections.map(({ code }) => code)).toEqual([...errorCodes]));

test.each(sections)("the section of $code says what to do", ({ text }) =>
  expect(text).toMatch(/^\*\*What to do:\*\* \S/m),
);

test("every fact is described, and the sections name no other", () => {
  expect(rowsUnder("fact").sort()).toEqual(Object.keys(facts).sort());
  const named = sections.flatMap(({ text }) => {
    const [, line = ""] = /^\*\*Facts:\*\* (.*)/m.exec(text) ?? [];
    return [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  });
  expect(named.filter((name) => !(name in facts))).toEqual([]);
});

test("every property is described", () => {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(AgentServerError.prototype))
    .filter(([, descriptor]) => "get" in descriptor)
    .map(([name]) => name);
  expect(rowsUnder("property").sort()).toEqual(properties.sort());
});
