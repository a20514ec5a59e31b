import { runDeployment } from "../emulator/gateway/deployment";
import { canaries } from "./canaries";
import { agentArgs } from "./programs";
import type { Stack } from "./stack";
import { World } from "./world";

let world: World;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith" });
});
beforeEach(async () => {
  await world.admin.reset();
  world.admin.steer({ pace: "at once" });
});
afterAll(() => world.end());

/** Creates a stack whose program calls functions of the provider plugin. */
async function pluginStack(name: string, body: string): Promise<Stack> {
  const stack = await world.stack(name);
  stack.usePlugin();
  stack.program(`
const invoke = (name, args) => pulumi.runtime.invokeOutput("agentserver:index:" + name, args);
${body}`);
  return stack;
}

async function outputsOf(stack: Stack): Promise<Record<string, unknown>> {
  const run = await stack.up();
  expect(run.code === 0 ? "" : run.output).toBe("");
  return (await stack.resource(`${stack.name}-${stack.name}`))!.outputs!;
}

const encrypted = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

test("returns results to a program, and returns logs as secrets", async () => {
  const stack = await pluginStack(
    "results",
    `const agent = new Deployment("agent", ${JSON.stringify(agentArgs({ name: "results" }))});
const found = invoke("getDeployment", { id: agent.id });
exports.repository = found.repoUrl;
exports.serving = found.activeRevisionId.apply((id) => agent.latestRevisionId.apply((latest) => id === latest));
exports.count = invoke("getRevisions", { deploymentId: agent.id }).revisions.length;
exports.lines = invoke("getDeploymentLogs", { deploymentId: agent.id, type: "build", limit: 1 }).lines;`,
  );
  expect(await outputsOf(stack)).toMatchObject({
    repository: "https://git.example.com/agents.git",
    serving: true,
    count: 1,
    lines: encrypted,
  });
});

test("succeeds in a preview before the user has consented, and keeps the token secret", async () => {
  const stack = await pluginStack(
    "consent",
    `const { token } = invoke("authenticate", { provider: "github", scopes: ["repo"], userId: "ada" });
exports.token = token;`,
  );
  const preview = await stack.preview();
  expect(preview.code).toBe(0);
  const [, url] = /requires the consent of ada: visit (\S+); `pulumi up` waits/.exec(preview.output)!;
  await fetch(url!);
  expect(await outputsOf(stack)).toMatchObject({ token: encrypted });
});

test("includes the invalid argument in the error, but not its value", async () => {
  const stack = await pluginStack(
    "invalid",
    `exports.found = invoke("getDeployment", { names: ${JSON.stringify(canaries.greeting)} });`,
  );
  const run = await stack.preview();
  expect(run.code).not.toBe(0);
  expect(run.output).toContain("names: is not a field; did you mean name?");
});

test("imports a listener, after which its program shows no changes", async () => {
  world.admin.setSelfHostedEnterprise(true);
  const { baseUrl, apiKey } = world.plane;
  const body = { compute_type: "k8s", compute_id: "eu", compute_config: { k8s_namespaces: ["agents"] } };
  const response = await fetch(`${baseUrl}/v2/listeners`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Api-Key": apiKey, "X-Tenant-Id": "tenant-1" },
    body: JSON.stringify(body),
  });
  const { id } = (await response.json()) as { id: string };
  world.writes();
  const type = "agentserver:index:Listener";
  const stack = await pluginStack("listener", "");
  const flags = ["--protect=false", "--generate-code=false", "--yes", "--skip-preview"];
  const imported = await stack.run("import", type, "eu", id, ...flags, "--stack", "listener");
  expect(imported.code === 0 ? "" : imported.output).toBe("");
  stack.program(`
class PluginListener extends pulumi.CustomResource {}
new PluginListener("${type}", "eu", { computeId: "eu", namespaces: ["agents"] });`);
  const run = await stack.run("up", "--yes", "--skip-preview", "--expect-no-changes");
  expect(run.code === 0 ? "" : run.output).toBe("");
  expect(world.writes()).toEqual([]);
});

test("imports objects on an agent server, after which their program shows no changes", async () => {
  const { plane, url } = await runDeployment({ apiKey: canaries.apiKey, tenantId: "tenant-1" });
  const send = async (method: string, path: string, body: object) => {
    const headers = { "content-type": "application/json", "X-Api-Key": plane.apiKey };
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    expect(response.ok).toBe(true);
    return (response.status === 204 ? {} : await response.json()) as Record<string, string>;
  };
  const context = { style: "brief" };
  const brief = await send("POST", "/assistants", { graph_id: "agent", name: "Brief", context });
  const inbox = await send("POST", "/threads", { metadata: { team: "support" } });
  const schedule = "0 9 * * 1-5";
  const report = await send("POST", "/runs/crons", {
    assistant_id: brief["assistant_id"],
    schedule,
    input: {},
  });
  for (const [namespace, key] of [
    ["handbook", "hours"],
    ["handbook", "refunds"],
    ["guidelines", "tone"],
  ])
    await send("PUT", "/store/items", { namespace: [namespace], key, value: { of: key } });

  const id = url.split("/").at(-1)!;
  const stack = await world.stack("contents", "", undefined, {
    AGENTSERVER_BASE_URL: plane.baseUrl,
    AGENTSERVER_API_KEY: plane.apiKey,
  });
  stack.usePlugin();
  const resources = [
    ["Assistant", "brief", brief["assistant_id"]],
    ["Thread", "inbox", inbox["thread_id"]],
    ["Cron", "report", report["cron_id"]],
    ["StoreItem", "tone", "guidelines/tone"],
    ["StoreItems", "handbook", "handbook"],
  ].map(([type, name, own]) => ({ type: `agentserver:index:${type}`, name, id: `${id}/${own}` }));
  stack.write("import.json", JSON.stringify({ resources }));
  const flags = [
    "--file",
    "import.json",
    "--protect=false",
    "--generate-code=false",
    "--yes",
    "--skip-preview",
  ];
  plane.admin.clearJournal();
  const imported = await stack.run("import", ...flags, "--stack", "contents");
  expect(imported.code === 0 ? "" : imported.output).toBe("");

  stack.program(`
const deployment = ${JSON.stringify({ id, url })};
const declare = (type, name, args) =>
  new pulumi.CustomResource("agentserver:index:" + type, name, { deployment, ...args });
const brief = declare("Assistant", "brief", { graph: "agent", name: "Brief", context: { style: "brief" } });
declare("Thread", "inbox", { metadata: { team: "support" } });
declare("Cron", "report", { assistant: brief.id, schedule: "${schedule}", input: {} });
declare("StoreItem", "tone", { namespace: ["guidelines"], key: "tone", value: { of: "tone" } });
declare("StoreItems", "handbook", {
  namespace: ["handbook"],
  items: { hours: { of: "hours" }, refunds: { of: "refunds" } },
});`);
  const run = await stack.run("up", "--yes", "--skip-preview", "--expect-no-changes");
  expect(run.code === 0 ? "" : run.output).toBe("");
  const writes = plane.admin
    .journal({ writes: true, agents: true })
    .map(({ method, path }) => `${method} ${path}`);
  expect(writes.filter((request) => !request.endsWith("/search"))).toEqual([]);
});

test("stops waiting for consent at the first Ctrl-C", async () => {
  const stack = await pluginStack(
    "waits",
    `exports.token = invoke("authenticate", { provider: "github", scopes: ["repo"] }).token;`,
  );
  const run = stack.startUp();
  await run.reaches(() => world.admin.journal({ method: "POST", path: "/v2/auth/authenticate" }).length > 0);
  run.interrupt();
  await run.ended;
  expect(run.code).not.toBe(0);
});
