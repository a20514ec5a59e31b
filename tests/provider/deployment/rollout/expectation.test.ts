import { fc } from "../../../properties";
import { answerIn, unmetExpectation } from "../../../../provider/deployment/rollout/expectation";

const state = { messages: [{ type: "ai", content: "pong", id: "1" }], count: 2, none: null };

test.each([
  ["pong", undefined],
  ["ping", 'none of its strings contains "ping"'],
  [{ count: 2 }, undefined],
  [{ count: 3 }, "values.count is 2, not 3"],
  [{ messages: [{ content: "pong" }] }, undefined],
  [{ messages: [{ content: "pang" }] }, 'values.messages[0].content is "pong", not "pang"'],
  [{ messages: [] }, "values.messages has length 1, not 0"],
  [{ messages: {} }, undefined],
  [{ other: 1 }, "values.other is missing"],
  [{ toString: 1 }, "values.toString is missing"],
  [{ none: { deep: 1 } }, "values.none is not an object"],
  [{ count: [2] }, "values.count is not a list"],
])("compares the state with the expectation %j", (expected, unmet) => {
  expect(unmetExpectation(expected, state)).toBe(unmet);
});

test.each([
  [state, '"pong"'],
  [
    { messages: [{ type: "ai", content: [{ type: "text", text: "pong" }] }] },
    '[{"type":"text","text":"pong"}]',
  ],
  [{ answer: 42 }, '{"answer":42}'],
  [{ messages: [] }, '{"messages":[]}'],
  [undefined, "null"],
  [{ answer: "my-key is it" }, '{"answer":"[secret] is it"}'],
])("shows the agent's response for %j", (values, shown) => {
  expect(answerIn(values, (text) => text.replaceAll("my-key", "[secret]"))).toBe(shown);
});

test("shortens a long response", () => {
  expect(answerIn({ messages: [{ content: "x".repeat(5_000) }] }, (text) => text)).toHaveLength(1_001);
});

test("accepts every state that equals the expected one", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(
        unmetExpectation(
          typeof plain === "string" ? { plain } : plain,
          typeof plain === "string" ? { plain } : plain,
        ),
      ).toBeUndefined();
    }),
  );
});
