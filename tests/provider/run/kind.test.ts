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
