import type { AssistantBody, AssistantRecord } from "../../../provider/agent-server/wire";
import { assistantKind } from "../../../provider/assistant/kind";
import type { AgentServerOperation } from "../../../provider/resource/operation";
import { ownerTag } from "../../../provider/resource/ownership/owner-tag";

const resource = {
  ownerId: "ours",
  identity: { urn: "urn:pulumi:prod::shop::agentserver:Assistant::brief", organization: "acme" },
  workingFolder: "/",
};

type Rule = (body: Partial<AssistantBody>) => Partial<AssistantBody>;

/** Updates an assistant on a server that processes only the part of a PATCH that the rule returns. */
async function update(rule: Rule, before: object, after: object, declared: object = before) {
  let record = {
    assistant_id: "a",
    graph_id: "agent",
    name: "Brief",
    version: 1,
    config: {},
    context: {},
    metadata: ownerTag(resource),
    ...before,
  } as AssistantRecord;
  const assistants = {
    find: async () => record,
    update: async (_id: string, body: Partial<AssistantBody>) =>
      (record = { ...record, ...rule(body), version: record.version! + 1 }),
  };
  const server = { assistants, guarded: () => server };
  const op = {
    resource,
    server,
    time: {
      clock: { now: () => 0, sleep: async () => undefined },
      deadline: { at: 1, totalMs: 1, setBy: "timeouts" },
    },
    report: { log: () => undefined, redact: (text: string) => text },
  } as unknown as AgentServerOperation;
  const state = { graph: "agent", ...declared, assistantId: "a", ownerId: "ours", schemaVersion: 1 };
  const wanted = { graph: "agent", assistantId: "a", ...after };
  return assistantKind().update(op, "a", state, wanted);
}

const ignoresEmpty: Rule = (body) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => Object.keys(value as object).length > 0));

test.each([{ context: null }, { context: {} }])(
  "fails if the server keeps a cleared context, and stores the current one (%j)",
  async (after) => {
    const { problem, state } = await update(ignoresEmpty, { context: { a: 1 } }, after);
    expect(problem!.error.message).toBe(
      "The agent server accepted the change to assistant a but did not clear `context`. Specify a value instead, or replace the assistant with `pulumi up --replace URN`.",
    );
    expect(state).toMatchObject({ context: { a: 1 } });
  },
);

test("fails if the server keeps a cleared config", async () => {
  const { problem } = await update(() => ({}), { config: { tags: ["a"] } }, { config: null });
  expect(problem!.error.message).toContain("did not clear `config`.");
});

test.each<[string, object, object]>([
  ["a cleared config", { config: { tags: ["a"] } }, { config: null }],
  ["a replaced context", { context: { a: 1 } }, { context: { b: 1 } }],
  [
    "a context that is specified as config.configurable",
    { context: { a: 1 } },
    { config: { configurable: { a: 2 } }, context: null },
  ],
])("succeeds if the server ignores only empty values, with %s", async (_, before, after) => {
  const { problem } = await update(ignoresEmpty, before, after);
  expect(problem).toBeUndefined();
});

test("succeeds if the server adds an entry of its own to each config", async () => {
  const added = { configurable: { added: true } };
  const adds: Rule = (body) => ({ ...body, config: added });
  const server = { config: { tags: ["a"], ...added } };
  const { problem } = await update(adds, server, { config: null }, { config: { tags: ["a"] } });
  expect(problem).toBeUndefined();
});

test("fails if the server clears the context but keeps its copy in the configuration", async () => {
  const keeps: Rule = ({ config: _config, ...body }) => body;
  const { problem } = await update(
    keeps,
    { context: { a: 1 }, config: { configurable: { a: 1 } } },
    { context: null },
    { context: { a: 1 } },
  );
  expect(problem!.error.message).toContain("did not clear `context`.");
});

test("succeeds if the server does not report the configuration", async () => {
  const { problem } = await update(
    () => ({}),
    { config: undefined },
    { config: null },
    { config: { tags: ["a"] } },
  );
  expect(problem).toBeUndefined();
});

test("succeeds if the server adds an entry of its own to the copy of a cleared context", async () => {
  const added = { config: { configurable: { added: true } } };
  const { problem } = await update(
    (body) => ({ ...body, ...added }),
    { ...added, name: "Old" },
    { context: null, name: "New" },
    { context: null, name: "Old" },
  );
  expect(problem).toBeUndefined();
});
