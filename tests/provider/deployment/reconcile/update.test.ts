import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { agent, agentAt, canary, World } from "../../world";

async function changed(inputs: DeploymentInputs, from: DeploymentInputs = agent()) {
  const world = await World.start();
  const stack = await world.deployed(from);
  const before = stack.state.latestRevisionId;
  const up = await stack.up(inputs);
  const { writes } = world;
  return { world, stack, up, writes, newRevision: stack.state.latestRevisionId !== before };
}

test("sends one PATCH with one field and no revision if only buildOnPush changes", async () => {
  const inputs = agent({ sourceConfig: { ...agent().sourceConfig, buildOnPush: true } });
  const { up, writes, newRevision, stack } = await changed(inputs);
  expect(up.step).toBe("update");
  expect(writes.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["PATCH", `/api-host/v2/deployments/${stack.deploymentId}`, { source_config: { build_on_push: true } }],
  ]);
  expect(newRevision).toBe(false);
  expect(stack.state.sourceConfig.buildOnPush).toBe(true);
  expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
});

test("sends one PATCH with the whole revision group for a different ref, and waits", async () => {
  const { writes, stack, newRevision } = await changed(agentAt("v2"));
  expect(writes.map(({ body }) => body)).toEqual([
    { source_revision_config: { repo_ref: "v2", graph_config_path: "langgraph.json" } },
  ]);
  expect(newRevision).toBe(true);
  expect(stack.state.serving).toEqual({
    revisionId: stack.state.latestRevisionId,
    sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" },
  });
});

test("sends all secrets and the tag if a secret changes, and reports when it takes effect", async () => {
  const secrets = { MODEL_KEY: `${canary}-model`, SEARCH_KEY: `${canary}-search` };
  const { world, writes, newRevision } = await changed(agent({ secrets }));
  expect(writes.map(({ body }) => body)).toEqual([
    {
      secrets: ["MODEL_KEY", "SEARCH_KEY", "AGENTSERVER_OWNER"].map((name) => ({ name, value: "[masked]" })),
    },
  ]);
  expect(newRevision).toBe(false);
  expect(world.log.lines("info")).toEqual([
    expect.stringContaining("secrets.SEARCH_KEY [patch]; changed secrets take effect with the next revision"),
  ]);
});

test("creates a revision for a changed secret if onSecretChange is revise", async () => {
  const from = agent({ rollout: { onSecretChange: "revise" } });
  const { writes, newRevision } = await changed({ ...from, secrets: { MODEL_KEY: `${canary}-new` } }, from);
  expect(writes.map(({ body }) => Object.keys(body as object))).toEqual([
    ["source_revision_config", "secrets"],
  ]);
  expect(newRevision).toBe(true);
});

test("keeps secrets that are no longer managed", async () => {
  const { up, writes, stack } = await changed(agent({ secrets: undefined }));
  expect([up.step, writes]).toEqual(["update", []]);
  expect(stack.outputs).not.toHaveProperty("secrets");
});

test("keeps only the ownership tag when all secrets are cleared", async () => {
  const { writes } = await changed(agent({ secrets: {} }));
  expect(writes.map(({ body }) => body)).toEqual([
    { secrets: [{ name: "AGENTSERVER_OWNER", value: "[masked]" }] },
  ]);
});

test("creates a revision of the same source for changed triggers, and records them in the tag", async () => {
  const { writes, newRevision } = await changed(agent({ rollout: { triggers: ["tuesday"] } }));
  expect(writes.map(({ body }) => body)).toEqual([
    {
      source_revision_config: { repo_ref: "v1", graph_config_path: "langgraph.json" },
      secrets: ["MODEL_KEY", "AGENTSERVER_OWNER"].map((name) => ({ name, value: "[masked]" })),
    },
  ]);
  expect(newRevision).toBe(true);
});

test("stores other rollout settings without writing", async () => {
  const { up, writes, stack } = await changed(agent({ rollout: { timeout: "1h" }, adopt: "always" }));
  expect([up.step, writes]).toEqual(["update", []]);
  expect([stack.state.rollout, stack.state.adopt]).toEqual([{ timeout: "1h" }, "always"]);
});

test("clears fields with null", async () => {
  const from = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: "https://agent.example.com" } });
  const { writes } = await changed(
    { ...from, sourceConfig: { ...from.sourceConfig, customUrl: null } },
    from,
  );
  expect(writes.map(({ body }) => body)).toEqual([{ source_config: { custom_url: null } }]);
});

test("creates the deployment with the new name before it deletes the old one", async () => {
  const { world, up, writes } = await changed(agent({ name: "sales-agent" }));
  expect(up.step).toBe("replace");
  expect(writes.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  expect(world.log.kept).toContain(
    "is replaced (the new deployment is created first, and then the old one is deleted",
  );
  expect(world.log.lines("warning")).toEqual([]);
});

test("deletes the old deployment first if the name changes but the unique address does not", async () => {
  const customUrl = "https://agent.example.com";
  const from = agent({ sourceConfig: { ...agent().sourceConfig, customUrl } });
  const { writes } = await changed({ ...from, name: "sales-agent" }, from);
  expect(writes.map(({ method }) => method)).toEqual(["DELETE", "POST"]);
});

test.each<[string, Partial<DeploymentInputs>]>([
  ["source", { source: "external_docker" }],
  ["sourceConfig", { sourceConfig: { ...agent().sourceConfig, repoUrl: "https://git.example.com/b.git" } }],
])("replaces the deployment if %s changes, deleting it first", async (_property, change) => {
  const { world, stack, up, writes } = await changed(agent(change));
  expect(up.step).toBe("replace");
  expect(writes.map(({ method }) => method)).toEqual(["DELETE", "POST"]);
  expect(world.log.kept).toContain("is replaced (deleted first, with its threads");
  const diff = await stack.preview(agent({ ...change, source: "y" }));
  expect(diff.replaces).toContain("source");
});

test("does not wait if rollout.wait is false, and waits in a later update", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 60 } });
  const stack = world.stack();
  expect((await stack.up(agent({ rollout: { wait: false } }))).step).toBe("create");
  expect(stack.state).not.toHaveProperty("settledRevision");
  expect(stack.state.latestRevisionId).toBeTruthy();
  expect((await stack.up(agent({ rollout: { wait: false } }))).step).toBe("same");
  world.forget();
  expect((await stack.up(agent())).step).toBe("update");
  expect(world.writes).toEqual([]);
  expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
});

test("reports a deleted deployment, and explains how to proceed", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  await world.request("DELETE", `/v2/deployments/${stack.id}`);
  world.forget();
  const { failure } = await stack.up(agentAt("v2"));
  expect(failure!.message).toMatch(/no longer exists\. Run `pulumi refresh`/);
  expect(world.writes).toEqual([]);
});

test("keeps the address if the control plane stops reporting it", async () => {
  const hides: string[] = [];
  const world = await World.start({}, { hides });
  const stack = await world.deployed();
  const { url } = stack.state;
  expect(url).toContain(stack.deploymentId);
  hides.push("url");
  await stack.up(agentAt("v2"));
  expect(stack.state.url).toBe(url);
  await stack.refresh();
  expect(stack.state.url).toBe(url);
});
