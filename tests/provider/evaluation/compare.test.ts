import type { EvaluationCase } from "../../../provider/evaluation/case";
import { answerOf, mismatch } from "../../../provider/evaluation/compare";

const plain = (text: string) => text;

function check(expectation: Partial<EvaluationCase>, answer: unknown): string | undefined {
  return mismatch({ input: {}, ...expectation }, answer, plain);
}

test.each<[string, unknown, string | undefined, unknown]>([
  ["the text of the last message", { messages: [{ content: "a" }, { content: "b" }] }, undefined, "b"],
  [
    "the text of content blocks",
    { messages: [{ content: [{ type: "text", text: "a" }, { type: "x" }, "b"] }] },
    undefined,
    "ab",
  ],
  ["the whole state without messages", { total: 3 }, undefined, { total: 3 }],
  ["the value at a path", { result: { total: 3 }, messages: [] }, "result.total", 3],
  ["no value at a missing path", { result: {} }, "result.total", undefined],
  ["no value without a message", { messages: [] }, undefined, undefined],
])("determines the answer: %s", (_, values, path, expected) => {
  expect(answerOf(values, path)).toEqual(expected);
});

test.each<[string, Partial<EvaluationCase>, unknown]>([
  ["a string that contains the expected one", { expect: "Paris" }, "It is Paris."],
  ["a state in which a string contains the expected one", { expect: "Paris" }, { city: "in Paris" }],
  ["the expected number", { expect: 4 }, 4],
  ["a string that represents the expected number", { expect: 4 }, " 4.0 "],
  ["a number within the tolerance", { expect: 4, tolerance: 0.5 }, "4.5"],
  ["a number at the limit of the tolerance", { expect: 1, tolerance: 0.1 }, "1.1"],
  ["a number at the lower limit of the tolerance", { expect: 20, tolerance: 0.01 }, "19.99"],
  ["an object with more keys", { expect: { a: { b: 1 } } }, { a: { b: 1, c: 2 }, d: 3 }],
  ["JSON text with the expected values", { expect: { a: 1 } }, '{"a":1,"b":2}'],
  ["an equal list", { expect: [1, { a: 2 }] }, [1, { a: 2, b: 3 }]],
  ["an equal boolean", { expect: true }, "true"],
  ["JSON text that matches a schema", { schema: { type: "object", required: ["a"] } }, '{"a":1}'],
  [
    "a string that is valid JSON and matches a schema",
    { schema: { type: "string", pattern: "^[0-9]{5}$" } },
    "12345",
  ],
  ["a string that matches a schema", { schema: { type: "string", maxLength: 9 } }, "short"],
])("accepts %s", (_, expectation, answer) => {
  expect(check(expectation, answer)).toBeUndefined();
});

test.each<[string, Partial<EvaluationCase>, unknown, string]>([
  ["another string", { expect: "Paris" }, "Rome", 'none of its strings contains "Paris"'],
  [
    "a number outside the tolerance",
    { expect: 4, tolerance: 0.5 },
    "4.6",
    "the answer is 4.6, not 4 (tolerance 0.5)",
  ],
  [
    "a number just outside the tolerance",
    { expect: 1, tolerance: 0.1 },
    1.1000001,
    "the answer is 1.1000001, not 1 (tolerance 0.1)",
  ],
  [
    "a number that differs by one from a large one",
    { expect: 9007199254740991 },
    9007199254740990,
    "the answer is 9007199254740990, not 9007199254740991",
  ],
  [
    "a large number outside the tolerance",
    { expect: 9007199254740991, tolerance: 1 },
    9007199254740989,
    "the answer is 9007199254740989, not 9007199254740991 (tolerance 1)",
  ],
  ["a string that contains a number", { expect: 4 }, "about 4", "the answer is not a number"],
  ["an empty string instead of zero", { expect: 0 }, "", "the answer is not a number"],
  ["a number that is not finite", { expect: 4 }, "Infinity", "the answer is not a number"],
  ["another value", { expect: { a: { b: 1 } } }, { a: { b: 2 } }, "answer.a.b is 2, not 1"],
  ["a missing key", { expect: { a: 1 } }, {}, "answer.a is missing"],
  ["a string that is not JSON", { expect: { a: 1 } }, "a is 1", "answer is not an object"],
  ["a list of a different length", { expect: [1] }, "[1,2]", "answer has length 2, not 1"],
  [
    "a value that violates a schema",
    { schema: { properties: { a: { type: "number" } } } },
    '{"a":"x"}',
    "the answer.a must be number",
  ],
  ["a missing answer", { expect: "Paris" }, undefined, "the final state contains no answer"],
])("rejects %s", (_, expectation, answer, reason) => {
  expect(check(expectation, answer)).toBe(reason);
});
