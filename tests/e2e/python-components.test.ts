import { cpSync } from "node:fs";
import { join } from "node:path";
import { type ControlPlane, startControlPlane } from "../../emulator/index";
import { Progress } from "../../tools/progress";
import { ensurePythonProgram, type PythonProgram } from "../../tools/python/program";
import { repositoryRoot } from "../../tools/repository";
import { describeWithPython } from "../emulator/rollout/runtimes/python/available";
import { manifestText } from "../sdk/manifests/manifest-text";
import { writeFile } from "../tools/temporary-folder";
import { canaries } from "./canaries";
import type { EngineRun } from "./engine-run";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

const [first, second] = ["1", "2"].map((digit) => digit.repeat(40));

const declared = `
import pulumi
import pulumi_agentserver as agentserver

config = pulumi.Config()
agents = agentserver.Workspace("agents", manifests="manifests")
support = agentserver.Environments(
    "support",
    name="support-agent",
    source="github",
    source_config={"repo_url": "https://git.example.com/agents.git"},
    source_revision_config={"repo_ref": config.require("commit"), "graph_config_path": "langgraph.json"},
    rollout={"timeout": "1m", "verify": {"ok": False}},
    environments=[
        {"environment": "staging", "secrets": {"MODEL_KEY": config.require_secret("modelKey")}},
        {"environment": "production", "gate": {"approved_from": "approved"}},
    ],
)
pulumi.export("urls", agents.urls)
pulumi.export("serves", support.serves)
pulumi.export("staging", support.deployments.apply(lambda all: all["staging"].display_name))
`;

const service = `
real = agentserver.Provider(
    "real",
    base_url=config.require("realUrl"),
    api_key=config.require_secret("realKey"),
    tenant_id="tenant-1",
    dialect="langsmith",
)
helper = agentserver.AgentService(
    "helper",
    name="helper",
    source="internal_source",
    source_config={"deployment_type": "serverless"},
    source_revision_config={"folder": "./agent"},
    secrets={"MODEL_KEY": config.require_secret("modelKey")},
    assistants={"brief": {"graph": "agent", "context": {"style": config.require("style")}}},
    crons={"report": {"assistant": "brief", "schedule": "0 9 * * 1-5", "input": {"messages": []}}},
    memory={"handbook": {"namespace": ["handbook"], "folder": "./handbook"}},
    opts=pulumi.ResourceOptions(provider=real),
)
pulumi.export("url", helper.url)
pulumi.export("graph", helper.assistants.apply(lambda all: all["brief"].graph))
`;

const inNode = `
const { Environments, Workspace } = require("pulumi-agentserver");
const agents = new Workspace("agents", { manifests: "manifests" });
const support = new Environments("support", {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
  sourceRevisionConfig: { repoRef: config.require("commit"), graphConfigPath: "langgraph.json" },
  rollout: { timeout: "1m", verify: { ok: false } },
  environments: [
    { environment: "staging", secrets: { MODEL_KEY: config.requireSecret("modelKey") } },
    { environment: "production", gate: { approvedFrom: "approved" } },
  ],
});
exports.urls = agents.urls;
exports.serves = support.serves;
`;

describeWithPython("tests/e2e/python-components.test.ts")("a Python program with components", () => {
  let world: World;
  let real: ControlPlane;
  let stack: Stack;
  let python: PythonProgram;

  beforeAll(async () => {
    world = await World.start();
    world.admin.steer({ pace: "at once" });
    python = await ensurePythonProgram(join(world.folder, "sdk"), {
      env: process.env,
      progress: new Progress(),
    });
    real = await startControlPlane({
      state: join(world.folder, "real"),
      apiKey: canaries.apiKey,
      tenantId: "tenant-1",
      dialect: "langsmith",
      rollout: "real",
    });
    stack = await world.stack("components");
    stack.usePlugin();
    stack.write("__main__.py", declared + service);
    writeFile(join(stack.folder, "manifests", "sales.yaml"), manifestText("", "sales"));
    writeFile(join(stack.folder, "handbook", "hours.md"), "From nine to five.");
    const agent = join(repositoryRoot, "examples", "local-folder", "agent");
    cpSync(agent, join(stack.folder, "agent"), { recursive: true });
    await stack.config("commit", first!);
    await stack.config("approved", first!);
    await stack.config("style", "brief");
    await stack.config("realUrl", real.baseUrl);
    await stack.config("realKey", canaries.apiKey, "--secret");
    await stack.config("modelKey", canaries.modelKey, "--secret");
  });
  afterAll(async () => {
    await real?.close();
    await world?.end();
  });

  async function start(command: string): Promise<EngineRun> {
    const run = world.startProgram([...python.command, "components", command], stack.folder, python.env);
    await run.ended;
    return run;
  }

  async function run(command: string): Promise<EngineRun> {
    const run = await start(command);
    expect(run.code === 0 ? "" : run.output).toBe("");
    return run;
  }

  const withoutIds = (request: string) => request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID");

  /** Returns the requests that may have changed the default control plane. */
  const requests = () => world.writes().map(({ request }) => withoutIds(request));

  /** Returns the requests that may have changed the control plane of the explicit provider. */
  function realRequests(): string[] {
    const entries = real.admin.journal({ writes: true, agents: true });
    real.admin.clearJournal();
    return entries
      .map(({ method, path }) => withoutIds(`${method} ${path}`))
      .filter((request) => !/\/(search|count)$/.test(request));
  }

  const created = ["POST /v2/deployments", "POST /v2/deployments", "POST /v2/deployments"];

  test("creates all components with the program's providers", async () => {
    const preview = await run("preview");
    expect(preview.output).toContain("+ 14 to create");
    expect([requests(), realRequests()]).toEqual([[], []]);
    await run("up");
    expect(requests()).toEqual(created);
    expect(realRequests().sort()).toEqual([
      "PATCH /api-host/v2/deployments/ID",
      "POST /agents/ID/assistants",
      "POST /agents/ID/runs/crons",
      "POST /api-host/v2/deployments",
      "POST /api-host/v2/deployments/ID/upload-url",
      // The record of the items that the resource has written, and the item.
      "PUT /agents/ID/store/items",
      "PUT /agents/ID/store/items",
      "PUT /api-host/uploads/ID/ID.tar.gz",
    ]);
    const { resources } = await stack.state();
    expect(resources[0]!.outputs).toMatchObject({
      urls: { sales: expect.stringContaining("http") },
      serves: { staging: first, production: first },
      graph: "agent",
    });
    // The resources of the components use the default provider of the program.
    expect(resources.filter(({ type }) => type === "pulumi:providers:agentserver")).toHaveLength(2);
    const children = resources.filter(({ type }) => type.startsWith("agentserver:index:"));
    expect(children.filter(({ type }) => type === "agentserver:index:Deployment")).toHaveLength(4);
  });

  test("changes nothing if the program is unchanged", async () => {
    expect((await run("up")).output).toContain("14 unchanged");
    expect([requests(), realRequests()]).toEqual([[], []]);
  });

  test("sends only changes to the program and its folders, and reports a missing approval", async () => {
    writeFile(join(stack.folder, "manifests", "sales.yaml"), manifestText("displayName: Sales", "sales"));
    await stack.config("commit", second!);
    await stack.config("style", "long");
    const { output } = await run("up");
    expect(output).toContain("production stays at 1111111; 2222222 has been verified in staging since ");
    expect(requests()).toEqual(["PATCH /v2/deployments/ID", "PATCH /v2/deployments/ID"]);
    expect(realRequests()).toEqual(["PATCH /agents/ID/assistants/ID"]);
    expect((await world.deployments()).map(({ name }) => name).sort()).toEqual([
      "sales",
      "support-agent-production",
      "support-agent-staging",
    ]);
  });

  test("reports an error in a manifest as an error of the component", async () => {
    writeFile(join(stack.folder, "manifests", "sales.yaml"), manifestText("unknownKey: blue", "sales"));
    const { code, output } = await start("preview");
    writeFile(join(stack.folder, "manifests", "sales.yaml"), manifestText("", "sales"));
    expect(code).not.toBe(0);
    expect(output).toContain("agentserver:index:Workspace resource 'agents' has a problem: ");
    expect(output).toContain("manifests/sales.yaml:8:3: spec.unknownKey");
    expect([requests(), realRequests()]).toEqual([[], []]);
  });

  test("deletes everything", async () => {
    await run("destroy");
    expect(await world.deployments()).toEqual([]);
    const [deletion] = realRequests().filter((request) => request.includes("/v2/deployments"));
    expect(deletion).toBe("DELETE /api-host/v2/deployments/ID");
  });

  test("moves components from a Node.js program and back without sending requests", async () => {
    await stack.config("commit", first!);
    stack.write("__main__.py", declared);
    stack.program(inNode);
    requests();
    expect((await stack.up()).code).toBe(0);
    expect(requests()).toEqual(created);
    const types = async () => {
      const { resources } = await stack.state();
      return new Set(resources.map(({ type }) => type).filter((type) => type.endsWith(":Deployment")));
    };
    expect(await types()).toEqual(new Set(["pulumi-nodejs:dynamic/agentserver:Deployment"]));

    for (const command of ["preview", "up"])
      expect((await run(command)).output).toMatch(/Resources:\s+8 unchanged/);
    expect(await types()).toEqual(new Set(["agentserver:index:Deployment"]));
    const back = await stack.run("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect(back.code === 0 ? "" : back.output).toBe("");
    expect(await types()).toEqual(new Set(["pulumi-nodejs:dynamic/agentserver:Deployment"]));
    expect(requests()).toEqual([]);
  });
});
