import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { canary, World } from "../../world";

/** A deployment whose source another client uploads later. */
const uploaded: DeploymentInputs = {
  name: "uploaded-agent",
  source: "internal_source",
  sourceConfig: { deploymentType: "dev" },
  sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
  secrets: { MODEL_KEY: `${canary}-model` },
};

const pushed: DeploymentInputs = {
  ...uploaded,
  name: "pushed-agent",
  source: "internal_docker",
  sourceRevisionConfig: {},
};

describe.each([uploaded, pushed])("a deployment without a first revision (source: $source)", (inputs) => {
  test("is created, refreshed, previewed without changes, and deleted", async () => {
    const world = await World.start({ dialect: "langsmith" });
    const stack = world.stack();
    expect((await stack.up(inputs)).failure).toBeUndefined();
    expect(stack.state.latestRevisionId).toBe("");
    expect(stack.state).not.toHaveProperty("awaitedRevision");
    expect((await stack.preview(inputs)).changes).toBe(false);
    expect(await stack.refresh()).toBe(true);
    expect((await stack.preview(inputs)).changes).toBe(false);
    world.forget();
    expect((await stack.up(inputs)).step).toBe("same");
    expect(world.writes).toEqual([]);
    await stack.destroy();
    expect(world.writes.map(({ method }) => method)).toEqual(["DELETE"]);
  });

  test("is changed successfully before it has a revision", async () => {
    const world = await World.start({ dialect: "langsmith" });
    const stack = world.stack();
    await stack.up(inputs);
    const changed = { ...inputs, sourceConfig: { ...inputs.sourceConfig, buildCommand: "npm run build" } };
    const { failure, step } = await stack.up(changed);
    expect([failure?.reasons, step]).toEqual([undefined, "update"]);
    expect((await stack.preview(changed)).changes).toBe(false);
  });

  test("ignores a foreign revision", async () => {
    const world = await World.start({ dialect: "langsmith" });
    const stack = world.stack();
    await stack.up(inputs);
    world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
    const theirs = world.admin.pushRevision(stack.deploymentId);
    await stack.refresh();
    expect(stack.state.latestRevisionId).toBe(theirs);
    expect((await stack.preview(inputs)).changes).toBe(false);
    await world.clock.advance(60_000);
    world.forget();
    expect((await stack.up(inputs)).step).toBe("same");
    expect(world.writes).toEqual([]);
  });

  test("is not recognized after a killed create, and is adopted if requested", async () => {
    const world = await World.start({ dialect: "langsmith" });
    const stack = world.stack();
    await stack.up(inputs);
    const { id } = stack;
    Object.assign(stack, { id: undefined, inputs: {}, outputs: {}, host: world.host() });
    world.forget();
    // The service reports no secrets, and therefore no ownership tag, before the first revision.
    expect((await stack.up(inputs)).failure!.message).toContain('Adopt it (`adopt: "always"`)');
    expect(world.writes).toEqual([]);
    const { failure } = await stack.up({ ...inputs, adopt: "always" });
    expect([failure?.reasons, failure?.message]).toEqual([undefined, undefined]);
    expect(stack.id).toBe(id);
    expect((await stack.preview({ ...inputs, adopt: "always" })).changes).toBe(false);
  });
});
