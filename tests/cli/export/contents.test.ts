import { type FoundContents, maxItems } from "../../../cli/export/contents/read-contents";
import { addContents } from "../../../cli/export/contents/add-contents";
import type { ExportedDeployment } from "../../../cli/export/model";
import { summaryOf } from "../../../cli/export/summary";
import { defaultAssistantOf } from "../../../provider/assistant/default-assistant";

const deployment = (name: string): ExportedDeployment => ({
  resource: name,
  variable: name,
  file: name,
  id: `${name}-id`,
  name,
  inputs: { name, source: "github", sourceConfig: {}, sourceRevisionConfig: {} },
  found: { url: `https://agents.example/${name}`, latestRevisionId: "r", tenantId: "" },
  secrets: [],
  notices: [],
  asComment: false,
});

const support = deployment("support");
const research = deployment("research");
const assistantId = "00000000-0000-4000-8000-00000000000a";

const assistant = (change: object = {}) => ({
  assistant_id: assistantId,
  graph_id: "agent",
  name: "Brief",
  metadata: {},
  version: 1,
  ...change,
});
const cron = (change: object = {}) => ({
  cron_id: "00000000-0000-4000-8000-0000000000c1",
  assistant_id: assistantId,
  schedule: "0 9 * * *",
  payload: { input: { a: 1 } },
  ...change,
});
const item = (namespace: string[], key: string) => ({ namespace, key, value: { key } });

const kinds = ["assistants", "crons", "store"] as const;

function exported(found: Partial<FoundContents> | string, selection: object = {}, holder = support) {
  const contents = typeof found === "string" ? found : { assistants: [], crons: [], items: [], ...found };
  const workspace = {
    deployments: [research, support],
    contents: [],
    namesInUse: ["research", "support"],
    omitted: [],
  };
  return addContents(workspace, new Map([[holder, contents]]), { kinds, includeOwned: false, ...selection });
}

test("exports assistants, crons, and store items under unique names", () => {
  const { contents, omitted } = exported({
    assistants: [assistant(), assistant({ assistant_id: defaultAssistantOf("agent"), name: "agent" })],
    crons: [
      cron(),
      cron({
        cron_id: "00000000-0000-4000-8000-0000000000c2",
        assistant_id: "elsewhere",
        thread_id: assistantId,
      }),
    ],
    items: [item(["b"], "2"), item(["a", "x"], "1"), item(["b"], "1")],
  });
  expect(omitted).toEqual([]);
  expect(contents.map(({ kind, resource, assistant: of }) => [kind, resource, of?.resource])).toEqual([
    ["Assistant", "support-Brief", undefined],
    ["Cron", "support-Brief-cron", "support-Brief"],
    ["Cron", "support-cron-cron", undefined],
    ["StoreItems", "support-a-x", undefined],
    ["StoreItems", "support-b", undefined],
  ]);
  expect(contents.at(-1)!.inputs).toEqual({
    namespace: ["b"],
    items: { "1": { key: "1" }, "2": { key: "2" } },
    prune: false,
    adopt: "always",
  });
});

test("exports the default assistant of a graph only if it has been changed", () => {
  const own = assistant({ assistant_id: defaultAssistantOf("agent"), metadata: { created_by: "system" } });
  expect(exported({ assistants: [own] }).contents).toEqual([]);
  const { contents } = exported({ assistants: [{ ...own, version: 2 }] });
  expect(contents).toMatchObject([{ inputs: { assistantId: defaultAssistantOf("agent") } }]);
  expect(contents[0]!.inputs).not.toHaveProperty("metadata");
});

test("omits contents that another stack owns unless requested, and reports the owner", () => {
  const metadata = { agentserver_owner: "o-1", agentserver_resource: "acme/shop/prod:brief" };
  const found = { assistants: [assistant({ metadata })], crons: [cron({ metadata })] };
  const { contents, omitted } = exported(found);
  expect(contents).toEqual([]);
  expect(omitted.map(({ reason }) => reason)).toEqual([
    "is owned by the resource acme/shop/prod:brief; pass --include-owned to adopt it",
    "is owned by the resource acme/shop/prod:brief; pass --include-owned to adopt it",
  ]);
  const taken = exported(found, { includeOwned: true });
  expect(taken.contents).toHaveLength(2);
  expect(taken.contents[0]!.inputs["metadata"]).toBeUndefined();
});

test("omits contents that cannot be exported, states the reason, and exports everything else", () => {
  const { contents, omitted } = exported({
    crons: [cron({ schedule: "0 0 30 2 *" }), cron({ cron_id: "00000000-0000-4000-8000-0000000000c2" })],
    items: [item(["langgraph", "x"], "1"), item(["ok"], "1")],
  });
  expect(contents.map(({ kind }) => kind)).toEqual(["Cron", "StoreItems"]);
  expect(omitted).toEqual([
    {
      name: "cron 0 0 30 2 * in support",
      id: "00000000-0000-4000-8000-0000000000c1",
      reason: expect.stringMatching(/^schedule matches no time/),
    },
    {
      name: "store items in langgraph.x in support",
      id: "support-id",
      reason: expect.stringMatching(/^namespace must not begin with langgraph/),
    },
  ]);
});

test("omits the contents of a server that does not respond, and a store that is too large", () => {
  expect(exported("no answer").omitted).toEqual([
    { name: "all contents in support", id: "support-id", reason: "no answer" },
  ]);
  const items = Array.from({ length: maxItems + 1 }, (_, at) => item(["a"], `${at}`));
  expect(exported({ items }).omitted).toEqual([
    { name: "store in support", id: "support-id", reason: "contains more than 1000 items" },
  ]);
});

test("avoids a resource name that is already in use", () => {
  const named = { ...support, resource: "a" };
  const { contents } = exported({ items: [item(["b"], "1")] }, {}, named);
  const workspace = { deployments: [], contents: [], namesInUse: ["a-b"], omitted: [] };
  const again = addContents(
    workspace,
    new Map([[named, { assistants: [], crons: [], items: [item(["b"], "1")] }]]),
    { kinds, includeOwned: false },
  );
  expect(contents[0]!.resource).toBe("a-b");
  expect(again.contents[0]!.resource).toBe("a-b-2");
});

test("warns about a webhook with a password and counts all contents in the summary", () => {
  const workspace = exported({
    crons: [cron({ payload: { webhook: "https://user:pass@hooks.example/a" } })],
    items: [item(["b"], "1"), item(["b"], "2")],
  });
  const summary = summaryOf(workspace, { folder: "agents", secretsSetIn: undefined });
  expect(summary).toContain("2 deployments, 1 cron, 2 store items written to agents.");
  expect(summary).toContain("cron 0 9 * * * in support: Its webhook URL contains a user name");
  expect(summary).not.toContain("pass@");
});
