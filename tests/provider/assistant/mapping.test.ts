import type { AssistantRecord } from "../../../provider/agent-server/wire";
import type { AssistantInputs } from "../../../provider/assistant/inputs";
import { isPatched, reported, toPatch } from "../../../provider/assistant/mapping";

const record: AssistantRecord = { assistant_id: "a", graph_id: "agent", name: "Brief", version: 2 };
const inputs = { graph: "agent", assistantId: "a" } as AssistantInputs;

test("removes the copy of a removed configuration even if others have activated another version", () => {
  const body = toPatch(
    { ...record, config: { configurable: { a: 1 } }, context: { a: 2 } },
    {
      current: { ...inputs, config: { configurable: { a: 2 } } },
      wanted: { ...inputs, config: {} },
      fields: new Set(["config"]),
      metadata: undefined,
    },
  );
  expect(body).toEqual({ config: { configurable: {} }, context: {} });
});

test.each<[string, Record<string, unknown>, Record<string, string | number> | null, object]>([
  ["a value of another version in configurable", { a: 2 }, { a: 1 }, { a: 2 }],
  ["an entry of another version in configurable", { a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2 }],
  ["an entry of another version, and an empty context", { b: 2 }, {}, { b: 2 }],
  ["a configurable that remains after the context was cleared", { a: 1 }, null, { a: 1 }],
])("reports the context that runs get, with %s", (_, configurable, context, expected) => {
  const stored = { ...record, config: { configurable }, context: context ?? {} };
  const wanted = { ...inputs, context };
  expect(reported(stored, wanted, wanted)).toMatchObject({ context: expected });
});

test("recognizes its own change on a server that reports neither metadata nor configuration", () => {
  const body = { name: "Brief", config: { tags: ["a"] }, context: { a: 1 }, metadata: { team: "b" } };
  expect(isPatched(body, record)).toBe(true);
  expect(isPatched(body, { ...record, metadata: { team: "c" } })).toBe(false);
  expect(isPatched({ ...body, name: "Other" }, record)).toBe(false);
});
