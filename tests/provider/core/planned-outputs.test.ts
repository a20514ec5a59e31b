import { assistantKind } from "../../../provider/assistant/kind";
import { Core } from "../../../provider/core/core";
import type { Decoded } from "../../../provider/core/decoded";
import { cronKind } from "../../../provider/cron/kind";
import { deploymentKind } from "../../../provider/deployment/kind";
import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import { notKnownYet } from "../../../provider/resource/inputs/unknown";
import type { PlanQuestion } from "../../../provider/resource/kind";
import { runKind } from "../../../provider/run/kind";
import { SessionPool } from "../../../provider/session/session-pool";
import type { Stack } from "../stack";
import { AgentWorld } from "../agent-world";
import { agent, agentAt, World } from "../world";

const call = { urn: "urn:pulumi:dev::shop::agentserver:index:Deployment::agent", timeouts: {}, faults: [] };

const decoded = (values: object): Decoded => ({ values: { ...values }, secretPaths: [] });

function coreOf({ environment: env, time: clock, log }: World): Core {
  return new Core(deploymentKind(), { sessions: new SessionPool({ env, clock, random: () => 0.5 }), log });
}

/**
 * Returns the state of a deployment, the inputs of an update, and the outputs that a preview of the update predicts.
 */
async function planned(world: World, stack: Stack, wanted: DeploymentInputs) {
  const { __provider: _provider, __call: _call, ...state } = stack.outputs;
  const inputs = { ...wanted, ownerId: stack.state.ownerId };
  const properties = await coreOf(world).previewUpdate(call, decoded(state), decoded(inputs));
  return { state, inputs, properties };
}

const rolloutOutputs = Object.fromEntries(
  [
    "latestRevisionId",
    "awaitedRevision",
    "settledRevision",
    "goodRevisionId",
    "rolledOut",
    "unverifiedRevisionIds",
    "serving",
    "verified",
  ].map((name) => [name, notKnownYet]),
);

test("treats the outputs of a resource to be created as unknown", async () => {
  const world = await World.start();
  const inputs = { ...agent(), ownerId: "owner" };
  expect(await coreOf(world).previewCreate(decoded(inputs))).toEqual({
    ...inputs,
    ...rolloutOutputs,
    url: notKnownYet,
    heldBy: notKnownYet,
    sentInputs: notKnownYet,
  });
  expect(world.admin.journal()).toEqual([]);
});

test("treats sentInputs, recorded by a refresh, as unknown because the update removes it", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, {
    source_config: { build_on_push: true },
  });
  await stack.refresh();
  expect((await planned(world, stack, agent())).properties).toMatchObject({ sentInputs: notKnownYet });
  await stack.up(agent());
  expect(stack.outputs).not.toHaveProperty("sentInputs");
});

test("treats the address as known, but not the revision, in an update that creates a revision", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const { state, inputs, properties } = await planned(world, stack, agentAt("v2"));
  expect(properties).toEqual({ ...state, ...inputs, ...rolloutOutputs });
  expect(world.admin.journal()).toEqual([]);
});

test.each<[string, Partial<DeploymentInputs>]>([
  ["changes secrets without a revision", { secrets: { MODEL_KEY: "other" } }],
  ["changes only the state", { rollout: { timeout: "1h" } }],
])("treats all outputs as known in an update that %s", async (_, change) => {
  const world = await World.start();
  const stack = await world.deployed();
  const { state, inputs, properties } = await planned(world, stack, agent(change));
  expect(properties).toEqual({ ...state, ...inputs });
});

test("treats the revision as unknown in an update after a failed rollout", async () => {
  const world = await World.start();
  const stack = world.stack();
  world.admin.steer({ verdict: "BUILD_FAILED" });
  await stack.up(agent());
  const { properties } = await planned(world, stack, agent());
  expect(properties).toMatchObject({ latestRevisionId: notKnownYet, name: agent().name });
});

test.each([
  ["langsmith", rolloutOutputs],
  ["interface", {}],
] as const)("plans the outputs of a reclaimed deployment in the %s dialect", async (dialect, expected) => {
  const world = await World.start({ dialect });
  const stack = await world.deployed();
  const theirs = world.stack({}, stack.urn.replace(":dev::", ":prod::"));
  expect((await theirs.up(agent({ adopt: "always" }))).failure).toBeUndefined();
  await stack.refresh();
  const wanted = agent({ adopt: "always" });
  const { state, inputs, properties } = await planned(world, stack, wanted);
  expect(properties).toEqual({ ...state, ...inputs, ...expected, heldBy: notKnownYet });
  const { latestRevisionId: before } = stack.state;
  expect(await stack.up(wanted)).toMatchObject({ step: "update" });
  expect(stack.state.latestRevisionId !== before).toBe(dialect === "langsmith");
});

test("treats the address as unknown if an update changes it", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const stack = await world.deployed();
  const sourceConfig = { ...agent().sourceConfig, customUrl: "https://agent.example.com" };
  const { properties } = await planned(world, stack, agent({ sourceConfig }));
  expect(properties["url"]).toBe(notKnownYet);
});

test("keeps a name that the server generated, but not an input that the program removed", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const { name: _name, ...others } = agent({ displayName: "Support" });
  const agentId = "11111111-1111-4111-8111-111111111111";
  const wanted: DeploymentInputs = { ...others, agent: { agentId, environment: "production" } };
  const stack = await world.deployed(wanted);
  const [olds, earlier] = [stack.outputs, stack.inputs].map((props) => {
    const { __provider: _provider, __call: _call, ...values } = props as Record<string, unknown>;
    return values;
  });
  const { displayName: _displayName, ...news } = { ...wanted, ownerId: stack.state.ownerId };
  const properties = await coreOf(world).previewUpdate(call, decoded(olds!), decoded(news), earlier);
  const { displayName: _removed, ...expected } = olds!;
  expect(expected["name"]).toBe("agent-1111-production");
  expect(properties).toEqual(expected);
});

test.each([
  ["treats the version of a renamed assistant as unknown", {}, 2],
  ["treats the version of a renamed assistant as known if it is pinned", { pinVersion: 1 }, 1],
])("%s", async (_, change, version) => {
  const world = await AgentWorld.start();
  const wanted = { ...world.deployment, graph: "agent", ...change };
  const first = world.stack("assistant", "one");
  await first.up({ ...wanted, pinVersion: undefined });
  await first.up(wanted);
  const { id, inputs, outputs } = first;
  const renamed = Object.assign(world.stack("assistant", "two"), { id, inputs, outputs });
  const { inputs: news } = await renamed.check(wanted);
  const { apiKey, baseUrl, tenantId } = world.plane;
  const env = { AGENTSERVER_API_KEY: apiKey, AGENTSERVER_BASE_URL: baseUrl, AGENTSERVER_TENANT_ID: tenantId };
  const sessions = new SessionPool({ env, clock: world.clock, random: () => 0.5 });
  const core = new Core(assistantKind(), { sessions, log: world.log });
  const { __provider: _provider, __call: _call, ...state } = outputs;
  const planned = await core.previewUpdate({ ...call, urn: renamed.urn }, decoded(state), decoded(news));
  expect(planned["version"]).toBe(version === 1 ? 1 : notKnownYet);
  expect((await renamed.up(wanted)).failure).toBeUndefined();
  expect(renamed.outputs["version"]).toBe(version);
});

const isSecret = () => false;
const replacesOn = () => false;

test.each([
  [
    "a different graph of an assistant",
    assistantKind(),
    { graph: "a" },
    { graph: "b" },
    ["version", "unsentRemovals"],
  ],
  ["an unchanged assistant", assistantKind(), { graph: "a" }, { graph: "a" }, []],
  [
    "a different schedule of a cron",
    cronKind(),
    { assistant: "agent", schedule: "0 1 * * *" },
    { assistant: "agent", schedule: "0 2 * * *" },
    ["nextRuns", "unclearedInputs"],
  ],
  [
    "different triggers of a run",
    runKind(),
    { triggers: ["a"] },
    { triggers: ["b"] },
    ["runId", "ranOn", "output"],
  ],
  ["a different input for the next run", runKind(), { input: 1, ranOn: "t" }, { input: 2 }, []],
  ["a run that has not succeeded", runKind(), { input: 1 }, { input: 1 }, ["runId", "ranOn", "output"]],
])("lists the outputs that may change: %s", (_, kind, state, wanted, expected) => {
  const question = { state, wanted, isSecret, replacesOn } as unknown as PlanQuestion<never, never>;
  expect(kind.plan(question).changedOutputs).toEqual(expected);
});
