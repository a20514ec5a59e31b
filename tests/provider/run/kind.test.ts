import { runInputs } from "../../../provider/run/inputs";
import { runKind } from "../../../provider/run/kind";

const state = {
  assistant: "agent",
  output: { messages: [] },
  ranOn: "t",
  ownerId: "owner",
  schemaVersion: 1,
};

test.each(["input", "command", "context", "config", "metadata", "triggers", "threadId", "assistant"])(
  "keeps the output secret if %s is secret",
  (secret) => {
    expect(runKind().secretCopies!(state, (path) => path === secret)).toContainEqual(["output"]);
    expect(runKind().secretCopies!(state, () => false)).toEqual([]);
  },
);

test("keeps the thread of the run secret if threadId is secret", () => {
  expect(runKind().secretCopies!(state, (path) => path === "threadId")).toContainEqual(["ranOn"]);
});

test("rejects configurable values together with a context, as servers do", () => {
  const issuesOf = (inputs: object) =>
    runInputs
      .safeParse({ connection: { url: "https://agent.example.com" }, assistant: "agent", ...inputs })
      .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  const config = { configurable: { a: 1 } };
  expect(issuesOf({ config, context: { b: 1 } })).toEqual([
    "config.configurable: cannot be combined with context, because both specify the same values",
  ]);
  for (const inputs of [
    { config, context: {} },
    { config: { configurable: {} }, context: { b: 1 } },
    { config: { tags: ["a"] }, context: { b: 1 } },
  ])
    expect(issuesOf(inputs)).toBeUndefined();
});
