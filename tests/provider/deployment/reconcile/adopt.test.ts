import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { Stack } from "../../stack";
import { agent, agentAt, canary, World } from "../../world";

describe("an existing deployment with a different owner or no known owner", () => {
  async function somebodyElses(world: World, inputs?: DeploymentInputs) {
    return (await world.deployed(inputs)).deploymentId;
  }
  /**
   * Returns the part of a message that states the owner of a deployment: the resource with this URN, which has owned
   * the deployment since the start of virtual time.
   */
  const holderOf = ({ urn }: Stack) =>
    `is owned by resource "${urn.split("::").at(-1)}" of stack shop/dev, since 2026-01-01 00:00:00 UTC.`;

  test("causes a conflict error that explains how to proceed", async () => {
    const world = await World.start();
    const other = await world.deployed();
    const { failure } = await world.stack().up(agent());
    expect(failure!.message).toBe(
      `Deployment "support-agent" (${other.deploymentId}) already exists and ${holderOf(other)} Adopt it (\`adopt: "always"\`), use another name, or delete it. If its owner is a resource in this program that will release the name, set \`deleteBeforeReplace\` on that resource, and make this one depend on it (\`dependsOn\`).`,
    );
    expect(world.writes).toEqual([]);
  });

  test("is found on a later page of the list", async () => {
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

  test("is adopted with adopt: always by writing only the tag, without a revision", async () => {
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
    expect(world.log.kept).toContain(`(${id}) is owned by resource `);
    world.forget();
    expect((await stack.up(agent({ adopt: "always" }))).step).toBe("same");
  });

  test("keeps its secrets if the program does not manage any", async () => {
    const world = await World.start();
    await somebodyElses(world, agent({ secrets: { THEIRS: `${canary}-theirs` } }));
    const stack = world.stack();
    await stack.up(agent({ adopt: "always", secrets: undefined }));
    expect(JSON.stringify(world.writes[0]!.body)).toContain("THEIRS");
    expect(stack.outputs).not.toHaveProperty("secrets");
  });

  test("is updated to the desired source in the PATCH that adopts it", async () => {
    const world = await World.start();
    await somebodyElses(world);
    const stack = world.stack();
    await stack.up(agentAt("v2", { adopt: "always" }));
    expect(world.writes.map(({ method, body }) => [method, Object.keys(body as object).sort()])).toEqual([
      ["PATCH", ["secrets", "source_revision_config"]],
    ]);
    expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
  });

  test("causes an error that reveals no part of a secret in an immutable field", async () => {
    const world = await World.start();
    await somebodyElses(world);
    // The program does not mark the URL as secret, so this value is not a canary.
    const secret = `token-${"x".repeat(20)}`;
    const repoUrl = `https://git.example.com/${"r".repeat(36)}${secret}`;
    const sourceConfig = { ...agent().sourceConfig, repoUrl };
    const { failure } = await world
      .stack()
      .up(agent({ adopt: "always", sourceConfig, secrets: { K: secret } }));
    expect(failure!.message).toContain("r[secret]. Set these fields");
  });

  test("is not adopted if an immutable field differs", async () => {
    const world = await World.start();
    await somebodyElses(world);
    const inputs = agent({
      adopt: "always",
      sourceConfig: { ...agent().sourceConfig, deploymentType: "dev" },
    });
    const { failure } = await world.stack().up(inputs);
    expect(failure!.message).toMatch(
      /cannot be adopted.*sourceConfig\.deploymentType prod → dev\. Set these fields to the deployment's values/,
    );
    expect(failure!.message).not.toContain("is replaced");
    expect(failure!.message).not.toContain("is adopted");
    expect(world.writes).toEqual([]);
  });

  test("receives missing settings from the program", async () => {
    const world = await World.start({ dialect: "langsmith" });
    const id = await somebodyElses(world);
    const stack = world.stack();
    const inputs = agent({ adopt: "always", displayName: "Support" });
    expect(await stack.up(inputs)).toMatchObject({ step: "create" });
    expect(await world.request("GET", `/v2/deployments/${id}`)).toMatchObject({ display_name: "Support" });
    await stack.refresh();
    expect(await stack.up(inputs)).toMatchObject({ step: "same" });
  });

  test("is adopted if the program uses an alias of its deployment type", async () => {
    const world = await World.start();
    await somebodyElses(world);
    const sourceConfig = { ...agent().sourceConfig, deploymentType: "dedicated" };
    const stack = world.stack();
    expect(await stack.up(agent({ adopt: "always", sourceConfig }))).toMatchObject({ step: "create" });
    await stack.refresh();
    expect(await stack.up(agent({ adopt: "always", sourceConfig }))).toMatchObject({ step: "same" });
  });

  test("is adopted unchanged after a failed rollout; the next change creates a revision", async () => {
    const world = await World.start();
    const id = await somebodyElses(world);
    world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
    await world.request("PATCH", `/v2/deployments/${id}`, { source_revision_config: { repo_ref: "broken" } });
    const stack = world.stack();
    const inputs = agentAt("broken", { adopt: "always" });
    world.forget();

    expect(await stack.up(inputs)).toEqual({ step: "create", checkFailures: [] });
    expect(world.writes.map(({ body }) => Object.keys(body as object))).toEqual([["secrets"]]);
    expect(world.log.lines("warning").join()).toContain(
      "existed before the adoption and has the status BUILD_FAILED",
    );
    expect(stack.state.settledRevision).toMatchObject({ status: "BUILD_FAILED", adopted: true });
    expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v1");
    world.forget();
    await stack.refresh();
    expect((await stack.up(inputs)).step).toBe("same");
    expect((await stack.up(agentAt("broken"))).step).toBe("update");
    expect(world.writes).toEqual([]);

    expect((await stack.up(agentAt("v2"))).step).toBe("update");
    expect(world.writes).toHaveLength(1);
    expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOYED" });
    expect(stack.state.settledRevision).not.toHaveProperty("adopted");
  });

  test("does not cause a failure if its rollout fails during the adoption", async () => {
    const world = await World.start();
    const id = await somebodyElses(world);
    world.admin.steer({ verdict: "DEPLOY_FAILED", times: 1 });
    await world.request("PATCH", `/v2/deployments/${id}`, { source_revision_config: { repo_ref: "v2" } });
    const stack = world.stack();
    expect(await stack.up(agentAt("v2", { adopt: "always" }))).toEqual({ step: "create", checkFailures: [] });
    expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOY_FAILED", adopted: true });
    expect((await stack.up(agentAt("v2", { adopt: "always" }))).step).toBe("same");
  });

  test.each([{ timeout: "1m" }, { wait: false }])(
    "is not rolled out again if its rollout fails after the wait ended (%j)",
    async (rollout) => {
      const world = await World.start();
      const id = await somebodyElses(world);
      world.admin.steer({ verdict: "DEPLOY_FAILED", pace: { afterSeconds: 300 }, times: 1 });
      await world.request("PATCH", `/v2/deployments/${id}`, { source_revision_config: { repo_ref: "v2" } });
      const stack = world.stack();
      await stack.up(agentAt("v2", { adopt: "always", rollout }));
      await world.clock.advance(300_000);
      world.forget();
      expect((await stack.up(agentAt("v2", { adopt: "always" }))).step).toBe("update");
      expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOY_FAILED", adopted: true });
      expect(stack.state).not.toHaveProperty("goodRevisionId");
      expect((await stack.up(agentAt("v2", { adopt: "always" }))).step).toBe("same");
      expect(world.writes).toEqual([]);
    },
  );

  test("is adopted even if an identical deployment could no longer be created", async () => {
    const world = await World.start({ dialect: "langsmith" });
    world.admin.setSelfHostedEnterprise(true);
    const integrationId = world.admin.seedIntegration({ name: "acme" });
    const linked = agent({ sourceConfig: { ...agent().sourceConfig, integrationId }, adopt: "always" });
    const image = agent({
      name: "image",
      source: "external_docker",
      sourceConfig: { resourceSpec: { cpu: 1 } },
      sourceRevisionConfig: { imageUri: "registry.test/agent:1" },
      adopt: "always",
    });
    for (const inputs of [linked, image]) await world.deployed(inputs);
    world.admin.removeIntegration(integrationId);
    for (const compute_id of ["one", "two"])
      await world.request("POST", "/v2/listeners", { compute_type: "k8s", compute_id, compute_config: {} });
    const asking = { AGENTSERVER_OFFLINE: undefined };
    for (const inputs of [linked, image])
      expect(await world.stack(asking).up(inputs)).toEqual({ step: "create", checkFailures: [] });
    const other = await world.stack(asking).up({ ...image, name: "another" });
    expect(other.checkFailures.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/sourceConfig\.listenerId: is required/),
    ]);
  });

  test("is not changed or deleted by the resource that lost it", async () => {
    const world = await World.start();
    const first = await world.deployed();
    await world.stack().up(agent({ adopt: "always" }));
    world.forget();
    const { failure } = await first.up(agentAt("v2"));
    expect(failure!.message).toContain("was not changed because it is owned by resource ");
    expect(failure!.message).toContain("pulumi state delete");
    await first.destroy();
    expect(world.log.lines("warning").join()).toContain("was not deleted because it is owned by resource ");
    expect(world.writes).toEqual([]);
  });
});

test.each([
  ["interface", 1],
  ["langsmith", 3],
] as const)("reclaims a lost deployment with adopt: always (%s dialect)", async (dialect, revisions) => {
  const world = await World.start({ dialect });
  const first = await world.deployed();
  const second = world.stack();
  await second.up(agent({ adopt: "always" }));
  world.forget();
  expect(await first.up(agent({ adopt: "always" }))).toEqual({ step: "update", checkFailures: [] });
  expect(world.log.kept).toMatch(new RegExp(`${first.deploymentId} is owned by .* and is adopted`));
  expect(first.state.settledRevision).toMatchObject({ id: first.state.latestRevisionId, status: "DEPLOYED" });
  const list = await world.request("GET", `/v2/deployments/${first.deploymentId}/revisions`);
  expect((list as { resources: unknown[] }).resources).toHaveLength(revisions);
  world.forget();

  expect((await first.up(agent())).failure).toBeUndefined();
  expect((await first.up(agent())).step).toBe("same");
  expect(world.writes).toEqual([]);
  expect((await second.up(agentAt("v2"))).failure!.message).toContain("is owned by resource ");
  await first.destroy();
});

describe("an adoption in a dialect in which secrets create a revision", () => {
  const inputs = agent({ adopt: "always" });

  /** Creates a deployment without a tag, in the same way as the service's own tools. */
  async function unmarked(world: World): Promise<string> {
    const made = await world.request("POST", "/v2/deployments", {
      name: "support-agent",
      source: "github",
      source_config: {
        repo_url: "https://git.example.com/agents.git",
        deployment_type: "prod",
        build_on_push: false,
      },
      source_revision_config: { repo_ref: "v1", langgraph_config_path: "langgraph.json" },
      secrets: [{ name: "MODEL_KEY", value: `${canary}-model` }],
    });
    world.forget();
    return (made as { id: string }).id;
  }

  const secretNames = (world: World) =>
    world.writes.map(({ body }) => {
      const { secrets } = body as { secrets?: { name: string }[] };
      return secrets?.map(({ name }) => name);
    });

  test("writes nothing at first, and adds the tag with the next regular revision", async () => {
    const world = await World.start({ dialect: "langsmith" });
    const id = await unmarked(world);
    const stack = world.stack();
    expect((await stack.up(inputs)).step).toBe("create");
    expect(stack.deploymentId).toBe(id);
    expect(world.writes).toEqual([]);
    expect(world.log.lines("info")).toContain(
      `Deployment ${id} gets its ownership tag with its next revision, because adding only the tag would create a revision.`,
    );
    expect((await stack.up(agent())).step).toBe("update");
    expect(
      (await stack.up(agent({ sourceConfig: { ...agent().sourceConfig, buildOnPush: true } }))).step,
    ).toBe("update");
    expect(secretNames(world)).toEqual([undefined]);
    world.forget();

    expect((await stack.up(agentAt("v2"))).step).toBe("update");
    expect(secretNames(world)).toEqual([["MODEL_KEY", "AGENTSERVER_OWNER"]]);
    expect(await world.request("GET", `/v2/deployments/${id}/revisions`)).toMatchObject({
      resources: [{ status: "DEPLOYED" }, { status: "DEPLOYED" }],
    });
    world.forget();
    await stack.up(agentAt("v3"));
    expect(secretNames(world)).toEqual([undefined]);
  });

  test("adds the tag with the revision that it creates for a changed source", async () => {
    const world = await World.start({ dialect: "langsmith" });
    await unmarked(world);
    await world.stack().up(agentAt("v2", { adopt: "always" }));
    expect(secretNames(world)).toEqual([["MODEL_KEY", "AGENTSERVER_OWNER"]]);
  });

  test("replaces the ownership tag of another resource immediately", async () => {
    const world = await World.start({ dialect: "langsmith" });
    const first = await world.deployed();
    const stack = world.stack();
    await stack.up(inputs);
    expect(secretNames(world)).toEqual([["MODEL_KEY", "AGENTSERVER_OWNER"]]);
    expect(world.log.lines("info")).toContainEqual(
      expect.stringMatching(
        `^Deployment ${first.deploymentId} has the ownership tag of resource .*; replacing the tag creates a revision\\.$`,
      ),
    );
    expect(await world.request("GET", `/v2/deployments/${first.deploymentId}/revisions`)).toMatchObject({
      resources: [{ id: stack.state.latestRevisionId }, {}],
    });
    world.forget();
    await first.destroy();
    expect(world.writes).toEqual([]);
  });
});
