import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { canaries } from "./canaries";
import { agentArgs } from "./programs";
import { noProcessOf } from "./processes";
import type { Stack } from "./stack";
import { World } from "./world";

const type = "agentserver:index:Deployment";
const dynamicType = "pulumi-nodejs:dynamic/agentserver:Deployment";

let world: World;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  await world.admin.reset();
  world.admin.steer({ pace: "at once" });
});
afterAll(() => world.end());

/** Creates a stack whose program can use the provider plugin. */
async function pluginStack(name: string): Promise<Stack> {
  const stack = await world.stack(name);
  stack.usePlugin();
  return stack;
}

/** Class for the plugin's deployments, like the one in the generated SDK for Node.js. */
const pluginClass = `
class PluginDeployment extends pulumi.CustomResource {
  constructor(name, args, options) {
    const outputs = { url: undefined, latestRevisionId: undefined, settledRevision: undefined, verified: undefined };
    const aliases = [{ type: "${dynamicType}" }];
    super("${type}", name, { ...outputs, ...args }, pulumi.mergeOptions(options, { aliases }));
  }
}
class Provider extends pulumi.ProviderResource {
  constructor(name, settings) {
    super("agentserver", name, settings);
  }
}
`;

type Change = Parameters<typeof agentArgs>[0];

/** Returns a program that declares the `agent` deployment. */
function declaring(className: string, change: Change, options = "{}"): string {
  const secrets = `{ KEY: pulumi.secret(${JSON.stringify(canaries.modelKey)}) }`;
  return `${pluginClass}
const agent = new ${className}("agent", { ...${JSON.stringify(agentArgs(change))}, secrets: ${secrets} }, ${options});
exports.url = agent.url;
exports.revision = agent.latestRevisionId;
agent.url.apply((url) => pulumi.log.info("known address: " + url));
agent.latestRevisionId.apply((id) => pulumi.log.info("known revision: " + id));
`;
}

const requests = () => world.writes().map(({ request }) => request);

/** Runs a command that must succeed. */
async function succeed(stack: Stack, command: string, ...words: string[]) {
  const run = await stack.run(command, ...words);
  expect(run.code === 0 ? "" : run.output).toBe("");
  return run;
}

const up = (stack: Stack) => succeed(stack, "up", "--yes", "--skip-preview");

test("creates, updates, refreshes, and deletes a deployment", async () => {
  const stack = await pluginStack("lifecycle");
  stack.program(declaring("PluginDeployment", { name: "lifecycle" }));
  await up(stack);
  expect(requests()).toEqual(["POST /v2/deployments"]);
  const { id, outputs } = (await stack.resource("agent"))!;
  expect(outputs).toMatchObject({ settledRevision: { status: "DEPLOYED" }, schemaVersion: 1 });

  await succeed(stack, "refresh", "--yes", "--skip-preview", "--expect-no-changes");
  await succeed(stack, "up", "--yes", "--skip-preview", "--expect-no-changes");
  expect(requests()).toEqual([]);

  const sourceRevisionConfig = { repoRef: "v2", graphConfigPath: "langgraph.json" };
  stack.program(declaring("PluginDeployment", { name: "lifecycle", sourceRevisionConfig }));
  const preview = await succeed(stack, "preview", "--diff");
  expect(preview.stdout).toMatch(/~ sourceRevisionConfig: \{\s+~ repoRef: "v1" => "v2"/);
  // An update changes the revision, but not the URL.
  expect(preview.output).toContain(`known address: ${String(outputs!["url"])}`);
  expect(preview.output).not.toContain("known revision");
  await up(stack);
  expect(requests()).toEqual([`PATCH /v2/deployments/${id}`]);
  expect(await world.revisions(id!)).toEqual(["DEPLOYED", "DEPLOYED"]);

  await succeed(stack, "destroy", "--yes", "--skip-preview");
  expect(requests()).toEqual([`DELETE /v2/deployments/${id}`]);
});

test("keeps the ID and the reason for a failed rollout, and continues in the next update", async () => {
  const stack = await pluginStack("fails");
  stack.program(declaring("PluginDeployment", { name: "fails" }));
  world.admin.steer({ pace: "at once", verdict: "BUILD_FAILED", reason: "no version of left-pad" });
  const failed = await stack.up();
  expect(failed.code).not.toBe(0);
  expect(failed.output).toContain("no version of left-pad");
  const [deployment] = await world.deployments();
  expect(await stack.resource("agent")).toMatchObject({
    id: deployment!.id,
    initErrors: [expect.stringContaining("no version of left-pad")],
    outputs: { latestRevisionId: deployment!.latest_revision_id },
  });

  requests();
  world.admin.steer({ pace: "at once" });
  stack.program(declaring("PluginDeployment", { name: "fails", rollout: { triggers: ["again"] } }));
  await up(stack);
  expect(requests()).toEqual([expect.stringMatching(/^(PATCH|POST) \/v2\/deployments\//)]);
  expect((await stack.resource("agent"))!.initErrors).toBeUndefined();
});

test("stops waiting at the first Ctrl-C, keeps the resource, and resumes in the next update", async () => {
  const stack = await pluginStack("interrupted");
  stack.program(declaring("PluginDeployment", { name: "interrupted" }));
  world.admin.steer({ pace: "step by step" });
  const run = stack.startUp();
  await run.reaches(
    () => world.admin.journal({ method: "GET", path: "/v2/deployments/:id/revisions/:revision" }).length > 0,
  );
  run.interrupt();
  await run.ended;

  expect(run.code).not.toBe(0);
  expect(run.output).toContain("the operation was canceled; run the same command again to resume it");
  const [deployment] = await world.deployments();
  expect(await stack.state()).toMatchObject({
    pendingOperations: [],
    resources: expect.arrayContaining([
      expect.objectContaining({
        id: deployment!.id,
        outputs: expect.objectContaining({ awaitedRevision: { id: deployment!.latest_revision_id } }),
      }),
    ]),
  });

  requests();
  await world.admin.setStatus("interrupted", undefined, "DEPLOYED");
  await up(stack);
  expect(requests()).toEqual([]);
  expect(await stack.resource("agent")).toMatchObject({
    outputs: { settledRevision: { status: "DEPLOYED" } },
  });
});

/** Creates a deployment without a Pulumi program. */
async function createByRequest(body: object): Promise<void> {
  const { baseUrl, apiKey, tenantId } = world.plane;
  const headers = { "content-type": "application/json", "X-Api-Key": apiKey, "X-Tenant-Id": tenantId };
  const url = `${baseUrl}/v2/deployments`;
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.status).toBe(201);
}

test("imports a deployment, after which the documented program shows no changes", async () => {
  const args = agentArgs({ name: "imported" });
  await createByRequest({
    name: args.name,
    source: args.source,
    source_config: { repo_url: "https://git.example.com/agents.git" },
    source_revision_config: { repo_ref: "v1", graph_config_path: "langgraph.json" },
  });
  requests();

  const stack = await pluginStack("imported");
  stack.program("");
  const words = ["export", "--format", "import", "--provider", "plugin", "--output", "exported"];
  await promisify(execFile)(join(world.folder, "node_modules", ".bin", "agentserver"), words, {
    cwd: stack.folder,
    env: world.environment,
  });
  requests();
  const file = ["--file", join("exported", "import.json")];
  const flags = ["--protect=false", "--generate-code=false", "--yes", "--skip-preview"];
  await succeed(stack, "import", ...file, ...flags, "--stack", "imported");
  expect((await stack.resource("imported"))!.inputs).toMatchObject(args);

  stack.program(`${pluginClass}
new PluginDeployment("imported", ${JSON.stringify(args)});`);
  await succeed(stack, "up", "--yes", "--skip-preview", "--expect-no-changes");
  expect(requests()).toEqual([]);
});

describe("a move from the dynamic provider", () => {
  const outcomes = {
    deployed: {},
    failed: { verdict: "DEPLOY_FAILED", reason: "the graph has no node" },
    unsettled: { pace: "step by step" },
  } as const;

  /** Returns the plan in the preview, and the number of resources per operation. */
  async function planned(stack: Stack): Promise<object> {
    const { diagnostics, changes } = await succeed(stack, "preview");
    const plan = diagnostics.filter(({ urn }) => urn?.endsWith("::agent"));
    return { plan: plan.map(({ message, severity }) => `${severity}: ${message}`), changes };
  }

  test.each(Object.entries(outcomes))(
    "changes neither the plan nor the deployment, even after moving back (rollout %s)",
    async (name, steering) => {
      const change = { name, rollout: { timeout: "2s" } };
      const stack = await pluginStack(name);
      world.admin.steer({ pace: "at once", ...steering });
      stack.program(declaring("Deployment", change));
      await stack.up();
      const { id, outputs } = (await stack.resource("agent"))!;
      world.admin.steer({ pace: "at once" });
      const before = await planned(stack);
      if (name === "deployed") expect(before).toEqual({ plan: [], changes: { same: 2 } });
      requests();

      stack.program(declaring("PluginDeployment", change));
      expect(await planned(stack)).toEqual(before);
      expect(requests()).toEqual([]);
      await up(stack);
      // Only a failed rollout is repeated, as it would be without the move.
      expect(requests()).toEqual(name === "failed" ? [`PATCH /v2/deployments/${id}`] : []);
      const { ownerId } = outputs!;
      expect(await stack.resource("agent")).toMatchObject({ id, type, outputs: { ownerId } });

      stack.program(declaring("Deployment", change));
      await succeed(stack, "up", "--yes", "--skip-preview", "--expect-no-changes");
      expect(await stack.resource("agent")).toMatchObject({ id, type: dynamicType, outputs: { ownerId } });
      expect(requests()).toEqual([]);
    },
  );

  test("changes only the state of a deployment that the plugin has created", async () => {
    const stack = await pluginStack("back");
    stack.program(declaring("PluginDeployment", { name: "back" }));
    await up(stack);
    const { id } = (await stack.resource("agent"))!;
    requests();
    stack.program(declaring("Deployment", { name: "back" }));
    const run = await up(stack);
    expect(run.output).toContain("adds the dynamic provider to the state [new-provider]");
    expect(requests()).toEqual([]);
    await succeed(stack, "preview", "--expect-no-changes");
    await succeed(stack, "destroy", "--yes", "--skip-preview");
    expect(requests()).toEqual([`DELETE /v2/deployments/${id}`]);
  });
});

test("uses the settings of explicit providers", async () => {
  const stack = await pluginStack("providers");
  const { baseUrl, apiKey } = world.plane;
  const settings = (tenantId: string) =>
    `{ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: pulumi.secret(${JSON.stringify(apiKey)}), tenantId: "${tenantId}" }`;
  stack.environment("AGENTSERVER_API_KEY", "wrong");
  const program = (tenantId: string) =>
    declaring(
      "PluginDeployment",
      { name: "explicit" },
      `{ provider: new Provider("own", ${settings(tenantId)}) }`,
    );
  stack.program(program("tenant-2"));
  const refused = await stack.up();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain("workspace");
  stack.program(program("tenant-1"));
  await up(stack);
  expect(requests()).toEqual(["POST /v2/deployments"]);
});

test("exits if the engine is killed", async () => {
  const stack = await pluginStack("killed");
  stack.program(declaring("PluginDeployment", { name: "killed" }));
  world.admin.steer({ pace: "step by step" });
  const run = stack.startUp();
  await run.reaches(() => world.admin.journal({ method: "POST", path: "/v2/deployments" }).length > 0);
  run.kill();
  await noProcessOf(stack.folder);
});
