import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { agent, canary, World } from "../../world";
import type { ServerLimits } from "../../server-limits";
import { hostOf, lookingAhead, previewed } from "../questions/previews";

const start = (limits?: ServerLimits): Promise<World> => World.start({ dialect: "langsmith" }, limits);

const support = { agentId: "support", environment: "production" };

type Environment = NonNullable<DeploymentInputs["agent"]>["environment"];

/** Returns the inputs of a deployment that is identified by its agent and environment instead of a name. */
function of(
  environment: Environment = "production",
  change: Partial<DeploymentInputs> = {},
): DeploymentInputs {
  const { name: _name, ...others } = agent();
  return { ...others, agent: { agentId: "support", environment }, ...change };
}

test("creates a deployment without a name for an agent, and finds it by the agent", async () => {
  const world = await start();
  const stack = world.stack();
  expect(await stack.up(of())).toEqual({ step: "create", checkFailures: [] });
  expect(world.writes).toMatchObject([
    { body: { agent: { agent_id: "support", environment: "production" } } },
  ]);
  expect(world.writes[0]!.body).not.toHaveProperty("name");
  const { name } = (await world.record(stack)) as { name: string };
  expect(stack.state).toMatchObject({ name, agent: support });
  world.forget();
  expect(await stack.up(of())).toMatchObject({ step: "same" });
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(of())).toMatchObject({ step: "same" });
  const other = { repoRef: "v2", graphConfigPath: "langgraph.json" };
  expect(await stack.up(of("production", { sourceRevisionConfig: other }))).toMatchObject({ step: "update" });
  expect(world.writes).toHaveLength(1);
  await stack.destroy();
});

test("creates the deployment of another environment before it deletes the old one", async () => {
  const world = await start();
  const stack = await world.deployed(of("staging"));
  const first = stack.deploymentId;
  expect(await stack.preview(of())).toMatchObject({ replaces: ["agent"], deleteBeforeReplace: false });
  expect(await stack.up(of())).toMatchObject({ step: "replace" });
  expect(world.writes.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  expect(stack.deploymentId).not.toBe(first);
});

test("reports a second deployment of the same agent and environment in the preview", async () => {
  const world = await start();
  const { deploymentId } = await world.deployed(of());
  const { failures } = await previewed(world, lookingAhead(world), of());
  expect(failures).toEqual([
    expect.stringContaining(
      `agent: Deployment of agent "support" (production) (${deploymentId}) already exists`,
    ),
  ]);
  const { failure } = await world.stack().up(of());
  expect(failure?.message).toContain("choose another agent or environment");
  const adopting = world.stack();
  expect(await adopting.up(of("production", { adopt: "always" }))).toMatchObject({ step: "create" });
  expect(adopting.deploymentId).toBe(deploymentId);
});

test("resumes an interrupted create", async () => {
  const world = await start();
  const stack = await world.deployed(of());
  const id = stack.deploymentId;
  Object.assign(stack, { id: undefined, inputs: {}, outputs: {}, host: world.host() });
  expect(await stack.up(of())).toMatchObject({ step: "create" });
  expect(stack.deploymentId).toBe(id);
  expect(world.writes).toEqual([]);
});

test("creates only one deployment if the response is lost", async () => {
  const world = await start();
  world.admin.fault({ kind: "reset", when: "after", method: "POST" });
  const stack = world.stack();
  expect(await stack.up(of())).toMatchObject({ step: "create" });
  const { resources } = (await world.request("GET", "/v2/deployments")) as { resources: unknown[] };
  expect(resources).toHaveLength(1);
});

test("ignores other deployments if the server ignores the filters", async () => {
  const world = await start({ ignoresFilters: true });
  await world.deployed(agent());
  const other = await world.deployed(of("staging"));
  expect(await previewed(world, lookingAhead(world), of())).toMatchObject({ failures: [] });
  const stack = world.stack();
  expect(await stack.up(of())).toMatchObject({ step: "create" });
  expect(stack.deploymentId).not.toBe(other.deploymentId);
});

test("rejects two resources for the same agent in the same environment", async () => {
  const world = await start();
  const first = lookingAhead(world);
  const second = Object.assign(lookingAhead(world), { host: (first.host = hostOf(world)) });
  await previewed(world, first, of());
  const { failures } = await previewed(world, second, of());
  expect(failures).toEqual([
    expect.stringMatching(
      /^agent: agent "support" \(production\) is the agent of two deployments in this program/,
    ),
  ]);
});

test.each<[string, Partial<DeploymentInputs>, string]>([
  [
    "a name together with an agent",
    { name: "support" },
    "agent: cannot be combined with name; remove one of them",
  ],
  [
    "an unknown environment",
    { agent: { agentId: "a", environment: "prod" as never } },
    "agent.environment: invalid option",
  ],
  ["inputs with neither a name nor an agent", { agent: undefined }, "name: is required"],
])("rejects %s", async (_what, change, text) => {
  const world = await start();
  const { failures } = await world.stack().check(of("production", change));
  expect(failures.map(({ reason }) => reason)).toEqual([expect.stringContaining(text)]);
});

test("does not send a create request to a control plane that does not support agents", async () => {
  const world = await World.start();
  const { failures } = await previewed(world, lookingAhead(world), of());
  expect(failures).toEqual(["agent: is not supported by this control plane (dialect interface); omit it"]);
  const { failure } = await world.stack().up(of());
  expect(failure?.message).toContain("agent is not supported by this control plane (dialect interface)");
  expect(JSON.stringify(world.log.said)).not.toContain(canary);
});
