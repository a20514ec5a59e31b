import { readJson } from "../json";
import { ask } from "../../tools/quickstart/question";
import { agentFiles, answeringGraph } from "../emulator/rollout/agents";
import { Repository } from "../emulator/rollout/repository";
import { canaries } from "./canaries";
import { noProcessOf } from "./processes";
import type { Stack } from "./stack";
import { World } from "./world";

const agent = (text: string, atImport = "") =>
  agentFiles(answeringGraph(`return \`${text} \${process.env.GREETING}\`;`, atImport));

const repository = new Repository();
const first = repository.commit(agent("first"));
const second = repository.commit(agent("second"));
const broken = repository.commit(agent("broken", 'throw new Error("the model table is missing");'));
const fixed = repository.commit(agent("fixed"));

let world: World;
let stack: Stack;
let deploymentId: string;

/** Declares the deployment for these tests, with some changes. */
function declare(change: { repoRef?: string; buildOnPush?: boolean; greeting?: string } = {}): void {
  const { repoRef = first, buildOnPush = false, greeting = canaries.greeting } = change;
  stack.program(`
exports.url = new Deployment("agent", {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: ${JSON.stringify(repository.folder)}, deploymentType: "dev", buildOnPush: ${buildOnPush} },
  sourceRevisionConfig: { repoRef: "${repoRef}", graphConfigPath: "langgraph.json" },
  secrets: { GREETING: ${JSON.stringify(greeting)}, MODEL_KEY: config.requireSecret("modelKey") },
  rollout: { timeout: "1m" },
}).url;`);
}

async function answer(): Promise<string> {
  const { outputs } = (await stack.resource("agent"))!;
  return ask(String(outputs!.url), world.plane, "hi");
}

/** Returns the messages about the deployment that remain visible after the last run. */
const said = (run: Awaited<ReturnType<Stack["up"]>>) =>
  run.diagnostics
    .filter(({ urn, ephemeral }) => urn === stack.urn("agent") && !ephemeral)
    .map(({ severity, message }) => `${severity}: ${message.trim()}`);

const patch = () => `PATCH /v2/deployments/${deploymentId}`;

beforeAll(async () => {
  world = await World.start({ rollout: "real" });
  stack = await world.stack("lifecycle");
  await stack.config("modelKey", canaries.modelKey, "--secret");
});

afterAll(() => world.end());

test("creates the deployment with one request, after which the agent responds", async () => {
  declare();
  const up = await stack.up();

  expect(up).toMatchObject({ code: 0, changes: { create: 2 } });
  const writes = world.writes();
  expect(writes).toMatchObject([
    {
      request: "POST /v2/deployments",
      keys: ["name", "source", "source_config", "source_revision_config", "secrets"],
    },
  ]);
  [deploymentId] = (await world.deployments()).map(({ id }) => id) as [string];
  expect(await world.revisions(deploymentId)).toEqual(["DEPLOYED"]);
  expect(await stack.resource("agent")).toMatchObject({
    id: deploymentId,
    outputs: { settledRevision: { status: "DEPLOYED" }, schemaVersion: 1 },
  });
  expect(await answer()).toBe(`first ${canaries.greeting}`);
});

test("finds no changes in a preview, a refresh, or an update of an unchanged program", async () => {
  for (const [command, ...words] of [
    ["preview", "--expect-no-changes"],
    ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
    ["up", "--yes", "--skip-preview", "--expect-no-changes"],
  ] as const) {
    const run = await stack.run(command, ...words);

    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toContain("2 unchanged");
    expect(said(run)).toEqual([]);
  }
  expect(world.writes()).toEqual([]);
  expect(await world.revisions(deploymentId)).toEqual(["DEPLOYED"]);
});

test("shows a new commit as the reason in the preview, and creates one revision for it", async () => {
  declare({ repoRef: second });
  const reason = `needs a new revision: sourceRevisionConfig.repoRef ${first.slice(0, 10)} → ${second.slice(0, 10)} [revision]`;
  const preview = await stack.preview("--json");

  const { diagnostics, changeSummary } = readJson<{ diagnostics: object[]; changeSummary: object }>(
    preview.stdout,
  );
  expect(changeSummary).toEqual({ same: 1, update: 1 });
  expect(diagnostics).toMatchObject([{ urn: stack.urn("agent"), severity: "info", message: `${reason}\n` }]);
  expect(world.writes()).toEqual([]);

  const up = await stack.up();

  expect(up).toMatchObject({ code: 0, changes: { same: 1, update: 1 } });
  expect(said(up)).toEqual([
    `info: ${reason}`,
    expect.stringMatching(/^info: DEPLOYED after \d+s \(.+\), revision /),
  ]);
  expect(world.writes()).toEqual([
    {
      request: patch(),
      keys: ["source_revision_config"],
      body: { source_revision_config: { repo_ref: second, graph_config_path: "langgraph.json" } },
    },
  ]);
  expect(await world.revisions(deploymentId)).toEqual(["DEPLOYED", "DEPLOYED"]);
  expect(await answer()).toBe(`second ${canaries.greeting}`);
});

test("patches only buildOnPush, without creating a revision", async () => {
  declare({ repoRef: second, buildOnPush: true });
  const up = await stack.up();

  expect(up).toMatchObject({ code: 0, changes: { same: 1, update: 1 } });
  expect(said(up)).toEqual([
    "info: patched without a new revision: sourceConfig.buildOnPush false → true [patch]",
  ]);
  expect(world.writes()).toMatchObject([
    { request: patch(), body: { source_config: { build_on_push: true } } },
  ]);
  expect(await world.revisions(deploymentId)).toHaveLength(2);
});

test("sends a rotated secret without creating a revision, and reports when it takes effect", async () => {
  declare({ repoRef: second, buildOnPush: true, greeting: canaries.rotatedGreeting });
  const up = await stack.up();

  expect(up).toMatchObject({ code: 0, changes: { same: 1, update: 1 } });
  expect(said(up)).toEqual([
    "info: patched without a new revision: secrets.GREETING [patch]; changed secrets take effect with the next revision [secrets-later]",
  ]);
  expect(world.writes()).toMatchObject([
    {
      request: patch(),
      keys: ["secrets"],
      body: { secrets: [{ name: "GREETING" }, { name: "MODEL_KEY" }, { name: "AGENTSERVER_OWNER" }] },
    },
  ]);
  expect(await world.revisions(deploymentId)).toHaveLength(2);
  expect(await answer()).toBe(`second ${canaries.greeting}`);
});

test("reports the error of a revision that throws on import, while the old revision responds", async () => {
  declare({ repoRef: broken, buildOnPush: true, greeting: canaries.rotatedGreeting });
  const up = await stack.up();

  expect(up.code).not.toBe(0);
  const error = up.diagnostics.find(
    ({ urn, severity }) => urn === stack.urn("agent") && severity === "error",
  );
  expect(error?.message).toContain("Error: the model table is missing");
  expect(error?.message).toMatch(/failed while starting the agent \(DEPLOY_FAILED, after \d+s\)/);
  expect(up.output).toContain("the model table is missing");
  expect(world.writes()).toMatchObject([{ request: patch(), keys: ["source_revision_config"] }]);
  expect(await world.revisions(deploymentId)).toEqual([
    "DEPLOYED",
    "DEPLOYED",
    expect.stringContaining("FAILED"),
  ]);
  expect(await answer()).toBe(`second ${canaries.greeting}`);
});

test("records a failed rollout with its reason in the state, and shows it in the next preview", async () => {
  const resource = await stack.resource("agent");
  const preview = await stack.preview();

  expect(resource).toMatchObject({
    id: deploymentId,
    initErrors: expect.arrayContaining([expect.stringContaining("the model table is missing")]),
    outputs: {
      settledRevision: { status: expect.stringContaining("FAILED") },
      serving: { sourceRevisionConfig: { repoRef: second } },
    },
  });
  expect(preview).toMatchObject({ code: 0, changes: { same: 1, update: 1 } });
  expect(said(preview)).toEqual([expect.stringContaining("needs a new revision: the last rollout failed")]);
  expect(world.writes()).toEqual([]);
});

test("creates one revision for a corrected agent, with the rotated secret", async () => {
  declare({ repoRef: fixed, buildOnPush: true, greeting: canaries.rotatedGreeting });
  const up = await stack.up();

  expect(up).toMatchObject({ code: 0, changes: { same: 1, update: 1 } });
  expect(world.writes()).toMatchObject([{ request: patch(), keys: ["source_revision_config"] }]);
  expect(await world.revisions(deploymentId)).toHaveLength(4);
  expect((await stack.resource("agent"))!.initErrors).toBeUndefined();
  expect(await answer()).toBe(`fixed ${canaries.rotatedGreeting}`);
});

test("leaves no deployment, resource, or agent after destroy", async () => {
  const destroy = await stack.destroy();

  expect(destroy).toMatchObject({ code: 0, changes: { delete: 2 } });
  expect(world.writes()).toMatchObject([{ request: `DELETE /v2/deployments/${deploymentId}` }]);
  expect(await world.deployments()).toEqual([]);
  expect((await stack.state()).resources).toEqual([]);
  await noProcessOf(world.folder);
});
