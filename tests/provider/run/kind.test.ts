import { runKind } from "../../../provider/run/kind";

const state = { assistant: "agent", output: { messages: [] }, ownerId: "owner", schemaVersion: 1 };

test.each(["input", "context", "config"])("where %s is secret, so is what comes out", (secret) => {
  expect(runKind().secretCopies(state, (path) => path === secret)).toEqual([["output"]]);
  expect(runKind().secretCopies(state, () => false)).toEqual([]);
});
