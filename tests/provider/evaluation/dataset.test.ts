import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCases } from "../../../provider/evaluation/dataset";
import type { EvaluationInputs } from "../../../provider/evaluation/inputs";

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "evaluation-")));
  mkdirSync(join(folder, "project", "evals"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string): void {
  writeFileSync(join(folder, "project", name), content);
}

function read(settings: Partial<EvaluationInputs>) {
  return readCases(settings, join(folder, "project"));
}

test("reads all files that match, sorted, with the line of each case", async () => {
  write("evals/b.jsonl", '{"input":1,"expect":"x"}\r\n\n{"id":"two","input":2,"schema":{"type":"string"}}\n');
  write("evals/a.json", '[{"input":0,"expect":0,"tolerance":1}]');
  write("evals/notes.md", "not a dataset");
  expect(await read({ dataset: "evals/*.json*" })).toEqual([
    { input: 0, expect: 0, tolerance: 1, at: "evals/a.json [0]" },
    { input: 1, expect: "x", at: "evals/b.jsonl line 1" },
    { id: "two", input: 2, schema: { type: "string" }, at: "evals/b.jsonl line 3" },
  ]);
});

test.each([
  [
    "a line that is not JSON, without revealing its text",
    '{"input": canary',
    "evals/a.jsonl line 1 is not valid JSON",
  ],
  [
    "a misspelled field",
    '{"input":1,"expects":"x"}',
    "evals/a.jsonl line 1: expects is not a field; did you mean expect?",
  ],
  ["a missing input", '{"expect":"x"}', "evals/a.jsonl line 1: input is required"],
  ["a value that is not an object", "3", "evals/a.jsonl line 1: must be an object with an input field"],
  [
    "a case without an expectation",
    '{"input":1}',
    "evals/a.jsonl line 1: needs expect or schema, because the evaluation has no judge",
  ],
  [
    "a tolerance without a number",
    '{"input":1,"expect":"x","tolerance":1}',
    "evals/a.jsonl line 1: tolerance requires a number in expect",
  ],
  [
    "a misspelled schema keyword",
    '{"input":1,"schema":{"typ":"string"}}',
    'evals/a.jsonl line 1: schema is not a JSON Schema: strict mode: unknown keyword: "typ"',
  ],
  [
    "an id that is used twice",
    '{"id":"x","input":1,"expect":1}\n{"id":"x","input":2,"expect":1}',
    'evals/a.jsonl line 2: the `id` "x" is already used at evals/a.jsonl line 1',
  ],
  ["an empty file", "\n", "the dataset has no cases"],
])("rejects %s", async (_, content, problem) => {
  write("evals/a.jsonl", content);
  await expect(read({ dataset: "evals/a.jsonl" })).rejects.toThrow(problem);
  await expect(read({ dataset: "evals/a.jsonl" })).rejects.not.toThrow("canary");
});

test("reports at most ten faults at once", async () => {
  write("evals/a.jsonl", '{"input":1}\n'.repeat(12));
  await expect(read({ dataset: "evals/a.jsonl" })).rejects.toThrow(/line 10: .*; and 2 more$/);
});

test.each([
  ["evals/none.jsonl", /cannot be read/],
  ["evals/none*.jsonl", "no file matches evals/none*.jsonl"],
  ["evals/notes.md", "evals/notes.md must be a .jsonl or a .json file"],
  ["*/a.jsonl", "with * only in the file name"],
  ["../other/a.jsonl", "is outside the project folder"],
  ["/etc/a.jsonl", "must be a path in the project folder"],
  ["evals/linked.jsonl", "is outside the project folder"],
])("rejects the dataset %s", async (dataset, problem) => {
  mkdirSync(join(folder, "other"));
  writeFileSync(join(folder, "other", "a.jsonl"), '{"input":1,"expect":1}');
  symlinkSync(join(folder, "other", "a.jsonl"), join(folder, "project", "evals", "linked.jsonl"));
  write("evals/notes.md", "");
  await expect(read({ dataset })).rejects.toThrow(problem);
});

test("accepts inline cases, and cases without an expectation if there is a judge", async () => {
  const judge = { assistant: "judge" };
  expect(await read({ cases: [{ input: 1, reference: "one" }], judge })).toEqual([
    { input: 1, reference: "one", at: "cases[0]" },
  ]);
});
