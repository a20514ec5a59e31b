import { addContents } from "../../../../cli/export/contents/add-contents";
import type { ExportedDeployment } from "../../../../cli/export/model";
import { selectDeployments } from "../../../../cli/export/select-deployments";
import { dialectOf } from "../../../../provider/control-plane/dialects";
import type { Deployment } from "../../../../emulator/page/client/data/types";
import {
  assistantDeclaration,
  cronDeclaration,
  itemDeclaration,
  threadDeclaration,
} from "../../../../emulator/page/client/program/contents";
import { ConfigSecret, Inputs } from "../../../../emulator/page/client/program/declaration";
import { deploymentDeclaration } from "../../../../emulator/page/client/program/deployment";
import { makeFifty } from "../../../cli/export/fifty";
import { canary, World } from "../../../provider/world";
import { plainInputs } from "./declarations";

interface Resources {
  resources: { id: string; name: string }[];
}

test.each(["interface", "langsmith"] as const)(
  "declares the same inputs as agentserver export, without secrets, in the %s dialect",
  async (dialect) => {
    const world = await World.start({ dialect });
    const request = (method: string, path: string, body?: object) => world.request(method, path, body);
    await makeFifty({ dialect, admin: world.admin, request, canary });
    const { resources } = (await request("GET", "/v2/deployments?limit=100")) as Resources;
    if (dialect === "langsmith") {
      const { id } = resources.find(({ name }) => name === "agent-00")!;
      await request("PATCH", `/v2/deployments/${id}`, {
        deployment_tier: "DEDICATED_M",
        route_through_gateway: true,
      });
      await request("PATCH", `/v2/deployments/${id}/resource-tiers`, { compute_tier: "DEDICATED_S" });
    }
    const records = await Promise.all(resources.map(({ id }) => request("GET", `/v2/deployments/${id}`)));
    const { deployments } = selectDeployments(records as Record<string, unknown>[], dialectOf(dialect), {
      names: [],
      includeOwned: true,
    });
    expect(deployments.length).toBeGreaterThan(40);
    for (const { id, name, inputs } of deployments) {
      const shown = (await request("GET", `/page/v2/deployments/${id}`)) as Deployment;
      const declared = deploymentDeclaration(shown, dialect);
      expect(JSON.stringify(declared)).not.toContain(canary);
      const names = Object.keys(inputs.secrets ?? {});
      const { secrets, adopt, ...others } = plainInputs(declared);
      // If the ownership tag of a deployment is incomplete, the export cannot know whether the control plane masks the
      // secrets.
      if (name !== "owned") expect([name, Object.keys(secrets ?? {}).sort()]).toEqual([name, names.sort()]);
      expect(adopt).toBe(name === "owned" ? undefined : "always");
      const { secrets: _, adopt: __, ...expected } = inputs;
      expect([name, others]).toEqual([name, expected]);
    }
  },
);

const holder: ExportedDeployment = {
  resource: "support",
  variable: "support",
  file: "support",
  id: "d-1",
  name: "support",
  inputs: { name: "support", source: "github", sourceConfig: {}, sourceRevisionConfig: {} },
  found: { url: "https://agents.example/support", latestRevisionId: "r", tenantId: "" },
  secrets: [],
  notices: [],
  asComment: false,
};
const assistantId = "00000000-0000-4000-8000-00000000000a";
const assistant = {
  assistant_id: assistantId,
  graph_id: "agent",
  name: "Brief",
  config: { tags: ["a"], recursion_limit: 5, configurable: { tone: "dry" } },
  context: { tone: "dry" },
  metadata: { team: "support", created_by: "user" },
  version: 1,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
};
const cron = {
  cron_id: "00000000-0000-4000-8000-0000000000c1",
  assistant_id: assistantId,
  thread_id: null,
  user_id: null,
  next_run_date: null,
  schedule: "0 9 * * *",
  timezone: "Europe/Zurich",
  end_time: "2027-01-01T00:00:00Z",
  enabled: false,
  on_run_completed: "keep" as const,
  metadata: { team: "support" },
  payload: {
    input: { a: 1 },
    config: { tags: ["b"], configurable: { cron_id: "c", tone: "dry" } },
    webhook: "https://example.com/hook",
    interrupt_before: ["a"],
    durability: "exit",
  },
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
};

test.each([
  ["an assistant and a cron", assistant, cron],
  ["settings without a context", { ...assistant, context: {} }, { ...cron, thread_id: assistantId }],
  ["other settings and context", { ...assistant, context: { tone: "kind" } }, { ...cron, payload: {} }],
  [
    "defaults",
    { ...assistant, config: {}, context: {}, metadata: {} },
    { ...cron, enabled: true, timezone: "UTC" },
  ],
])("declares the same inputs as agentserver export for %s", (_, one, other) => {
  const found = { assistants: [one], crons: [other], items: [] };
  const workspace = { deployments: [holder], contents: [], namesInUse: ["support"], omitted: [] };
  const kinds = ["assistants", "crons"] as const;
  const { contents } = addContents(workspace, new Map([[holder, found]]), { kinds, includeOwned: false });
  const [exportedAssistant, exportedCron] = contents;
  const declared = assistantDeclaration("support", one);
  expect(plainInputs(declared)).toEqual(JSON.parse(JSON.stringify(exportedAssistant!.inputs)));
  // The export also contains default values.
  const usual = { timezone: "UTC", enabled: true, onRunCompleted: "delete" };
  const inputs = { ...(JSON.parse(JSON.stringify(exportedCron!.inputs)) as object) };
  expect({ ...usual, ...plainInputs(cronDeclaration("support", other as never, [])) }).toEqual({
    ...usual,
    ...inputs,
  });
});

test("omits ownership tags and the credentials in a webhook from programs", () => {
  const metadata = { agentserver_owner: "o", agentserver_resource: "acme/shop/prod:brief", team: "a" };
  const payload = { webhook: "https://user:pass@example.com/hook" };
  const declared = cronDeclaration("support", { ...cron, metadata, payload }, []);
  expect(declared.inputs.values).toMatchObject({
    webhook: new ConfigSecret("webhook"),
    metadata: { team: "a" },
    adopt: undefined,
  });
  expect(declared.notices[0]).toContain("owned by the resource acme/shop/prod:brief");
  const query = { ...cron, payload: { webhook: "https://example.com/hook?key=1" } };
  expect(cronDeclaration("support", query as never, []).inputs.values["webhook"]).toBeInstanceOf(
    ConfigSecret,
  );
});

test("refers to the default assistant of a graph by the name of the graph", () => {
  const assistants = [{ ...assistant, metadata: { created_by: "system" } }] as never;
  expect(cronDeclaration("support", cron as never, assistants).inputs.values["assistant"]).toBe("agent");
});

test("declares a thread without its state, and an item with its value", () => {
  const metadata = { graph_id: "agent", assistant_id: assistantId, team: "a" };
  const thread = { thread_id: assistantId, metadata, values: { messages: ["hello"] } };
  expect(plainInputs(threadDeclaration("support", thread as never))).toEqual({
    threadId: assistantId,
    graph: "agent",
    metadata: { team: "a" },
    adopt: "always",
  });
  const item = { namespace: ["a", "b"], key: "c", value: { d: 1 }, createdAt: "", updatedAt: "" };
  expect(plainInputs(itemDeclaration("support", item))).toEqual({
    namespace: ["a", "b"],
    key: "c",
    value: { d: 1 },
    adopt: "always",
  });
});

test("declares an uploaded folder, and reads masked values from the configuration", () => {
  const deployment: Deployment = {
    id: "d",
    name: "folder",
    status: "READY",
    source: "internal_source",
    source_config: { repo_url: "https://[masked]@example.com/a.git" },
    source_revision_config: { graph_config_path: "langgraph.json" },
    created_at: "",
    updated_at: "",
    secrets: [],
    variables: [{ name: "MODE", value: "with [masked] inside" }],
    owner: 'resource "a" of stack b',
    tracked_repo_ref: "develop",
  };
  const declared = deploymentDeclaration(deployment, "langsmith");
  expect(declared.inputs.values).toMatchObject({
    sourceConfig: new Inputs({ repoUrl: new ConfigSecret("repoUrl") }),
    sourceRevisionConfig: { values: { folder: "agent" } },
    trackedRepoRef: "develop",
    environmentVariables: { MODE: new ConfigSecret("MODE") },
    adopt: undefined,
  });
  expect(declared.notices.join(" ")).toMatch(
    /owned by resource "a" of stack b.*Replace "agent" with the path of the folder/,
  );
});
