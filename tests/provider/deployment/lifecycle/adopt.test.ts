import type { DeploymentInputs } from "../../../../provider/deployment/inputs";
import { agent, agentAt, canary, World } from "../../world";

describe("a deployment of this name that belongs to nobody known, or to another resource", () => {
  async function somebodyElses(world: World, inputs?: DeploymentInputs) {
    return (await world.deployed(inputs)).deploymentId;
  }

  test("is a conflict whose text lists the ways out", async () => {
    const world = await World.start();
    const id = await somebodyElses(world);
    const { failure } = await world.stack().up(agent());
    expect(failure!.message).toBe(
      `A deployment named "support-agent" exists already (${id}), which belongs to another Pulumi resource. Ways out: take it over with \`adopt: "always"\`; choose another name; or delete that deployment first.`,
    );
    expect(world.writes).toEqual([]);
  });

  test("is found on a later page of the list as well", async () => {
    const world = await World.start();
    const names = Array.from({ length: 120 }, (_, index) => `support-agent-${index}`);
    for (const name of names)
      await world.request("POST", "/v2/deployments", {
        name,
        source: "github",
        source_config: {},
        source_revision_config: {},
      });
    const id = await somebodyElses(world);
    const { failure } = await world.stack().up(agent());
    expect(failure!.message).toContain(id);
  });

  test("is taken over where adopt is always; only the mark is written, and no revision made", async () => {
    const world = await World.start();
    const id = await somebodyElses(world);
    const stack = world.stack();
    expect((await stack.up(agent({ adopt: "always" }))).step).toBe("create");
    expect(stack.deploymentId).toBe(id);
    expect(world.writes.map(({ method, body }) => [method, Object.keys(body as object)])).toEqual([
      ["PATCH", ["secrets"]],
    ]);
    expect(world.admin.journal({ method: "PATCH" })[0]!.body).toEqual({
      secrets: [
        { name: "MODEL_KEY", value: "[masked]" },
        { name: "AGENTSERVER_OWNER", value: "[masked]" },
      ],
    });
    expect(world.log.kept).toContain(`adopts ${id}`);
    world.forget();
    expect((await stack.up(agent({ adopt: "always" }))).step).toBe("same");
  });

  test("keeps the secrets that it has when the program manages none", async () => {
    const world = await World.start();
    await somebodyElses(world, agent({ secrets: { THEIRS: `${canary}-theirs` } }));
    const stack = world.stack();
    await stack.up(agent({ adopt: "always", secrets: undefined }));
    expect(JSON.stringify(world.writes[0]!.body)).toContain("THEIRS");
    expect(stack.outputs).not.toHaveProperty("secrets");
  });

  test("is brought to the wanted source in the same PATCH when it is taken over", async () => {
    const world = await World.start();
    await somebodyElses(world);
    const stack = world.stack();
    await stack.up(agentAt("v2", { adopt: "always" }));
    expect(world.writes.map(({ method, body }) => [method, Object.keys(body as object).sort()])).toEqual([
      ["PATCH", ["secrets", "source_revision_config"]],
    ]);
    expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
  });

  test("is not taken over when a field differs that cannot be changed", async () => {
    const world = await World.start();
    await somebodyElses(world);
    const inputs = agent({
      adopt: "always",
      sourceConfig: { ...agent().sourceConfig, deploymentType: "dev" },
    });
    const { failure } = await world.stack().up(inputs);
    expect(failure!.message).toMatch(
      /cannot be adopted.*sourceConfig\.deploymentType prod → dev\. Give these fields the values that it has/,
    );
    expect(failure!.message).not.toContain("is replaced");
    expect(world.writes).toEqual([]);
  });

  test("is left alone by the resource that lost it, in updates and in deletes", async () => {
    const world = await World.start();
    const first = await world.deployed();
    await world.stack().up(agent({ adopt: "always" }));
    world.forget();
    const { failure } = await first.up(agentAt("v2"));
    expect(failure!.message).toContain("carries the mark of another Pulumi resource");
    await expect(first.destroy()).rejects.toThrow("pulumi state delete");
    expect(world.writes).toEqual([]);
  });
});
