import { canaries } from "./canaries";
import { agentArgs, declaring } from "./programs";
import { World } from "./world";

let world: World;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  await world.admin.reset();
  world.admin.steer({ pace: "at once" });
});
afterAll(() => world.end());

test("accepts outputs of other resources in a TypeScript program", async () => {
  const stack = await world.stack("unknowns");
  const program = (repoRef: string) => `
import { Deployment } from "pulumi-agentserver";

const upstream = new Deployment("upstream", ${JSON.stringify(agentArgs({ name: "upstream", sourceRevisionConfig: { repoRef } }))});
const agent = new Deployment("agent", {
  name: upstream.name.apply((name) => \`\${name}-user\`),
  source: "github",
  sourceConfig: upstream.url.apply((url) => ({ repoUrl: url!, buildOnPush: true })),
  sourceRevisionConfig: { repoRef: upstream.latestRevisionId },
  secrets: { UPSTREAM: upstream.url.apply((url) => \`ask \${url}\`) },
});
export const url = agent.url;
`;
  stack.typescript(program("v1"));

  expect(await stack.preview()).toMatchObject({ code: 0, changes: { create: 3 } });
  expect(await stack.up()).toMatchObject({ code: 0, changes: { create: 3 } });

  const [upstream] = (await world.deployments()).filter(({ name }) => name === "upstream");
  expect(world.writes()).toMatchObject([
    { body: { name: "upstream" } },
    {
      body: {
        name: "upstream-user",
        source_config: { repo_url: expect.stringContaining(upstream!.id), build_on_push: true },
        source_revision_config: { repo_ref: upstream!.latest_revision_id },
      },
    },
  ]);

  stack.typescript(program("v2"));
  const preview = await stack.preview();

  expect(preview).toMatchObject({ code: 0, changes: { same: 1, update: 2 } });
  expect(preview.output).toContain(
    "needs a new revision (value not known yet): sourceRevisionConfig.repoRef",
  );
});

test("rejects invalid inputs with their names in the preview, and creates nothing", async () => {
  const stack = await world.stack(
    "bad-inputs",
    declaring({
      sourceConfig: { repoUrl: "", repo_url: "typing mistake" } as object,
      rollout: { timeout: "soon" },
    }),
  );

  for (const run of [await stack.preview(), await stack.up()]) {
    expect(run.code).not.toBe(0);
    expect(run.output).toMatch(/sourceConfig\.repoUrl: must not be empty/);
    expect(run.output).toMatch(/sourceConfig\.repo_url: is not a field; did you mean repoUrl\?/);
    expect(run.output).toMatch(/rollout\.timeout: must be a positive duration of at most 24h/);
    expect(run.output).not.toContain("    at ");
  }
  expect(world.admin.journal()).toEqual([]);
});

test("shows existing deployments with Deployment.get and getDeployment, without secrets", async () => {
  const stack = await world.stack(
    "lookups",
    `${declaring({ secrets: { MODEL_KEY: canaries.modelKey } })}
const seen = Deployment.get("seen", agent.id);
exports.isDeployment = Deployment.isInstance(seen);
exports.seen = [seen.deploymentId, seen.latestRevisionId, seen.url];
exports.seenName = seen.name;
exports.byId = agent.id.apply((id) => getDeployment({ id }));
exports.byName = agent.id.apply(() => getDeployment({ name: "support-agent" }));`,
  );

  expect(await stack.up()).toMatchObject({ code: 0 });

  const [deployment] = await world.deployments();
  const { id, latest_revision_id: latestRevisionId } = deployment!;
  const [root] = (await stack.state()).resources;
  const url = expect.stringContaining(id);
  const found = {
    id,
    latestRevisionId,
    url,
    name: "support-agent",
    source: "github",
    repoRef: "v1",
    secretNames: ["MODEL_KEY"],
  };
  expect(root!.outputs).toMatchObject({
    isDeployment: true,
    seen: [id, latestRevisionId, url],
    seenName: "support-agent",
    byId: found,
    byName: found,
  });
  expect((await stack.resource("seen"))!.inputs).not.toHaveProperty("secrets");

  world.writes();
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(world.writes()).toMatchObject([{ request: `DELETE /v2/deployments/${id}` }]);
});

test("fails the program and reports the requested name if a lookup finds nothing", async () => {
  const stack = await world.stack("nothing-there", `exports.found = getDeployment({ name: "missing" });`);

  const preview = await stack.preview();

  expect(preview.code).not.toBe(0);
  expect(preview.output).toContain('The control plane has no deployment named "missing" in this workspace.');
});

test("keeps the deployment until one with the new name exists, as the preview shows", async () => {
  const stack = await world.stack("renamed", declaring());
  expect(await stack.up()).toMatchObject({ code: 0 });
  const [old] = await world.deployments();
  world.writes();
  stack.program(declaring({ name: "sales-agent" }));

  const preview = await stack.preview();
  const up = await stack.up();

  for (const run of [preview, up])
    expect(run.output).toMatch(
      /is replaced \(the new deployment is created first, .*\): name support-agent → sales-agent/,
    );
  expect(up).toMatchObject({ code: 0, changes: { same: 1, replace: 1 } });
  expect(up.steps.filter((step) => !step.startsWith("same"))).toEqual([
    "create-replacement agent",
    "replace agent",
    "delete-replaced agent",
  ]);
  expect(world.writes()).toMatchObject([
    { request: "POST /v2/deployments", body: { name: "sales-agent" } },
    { request: `DELETE /v2/deployments/${old!.id}` },
  ]);
});

test("keeps the active deployment if the rollout under a new name fails and the name is reverted", async () => {
  const stack = await world.stack("taken-back", declaring({ name: "taken-back" }));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { id } = (await stack.resource("agent"))!;
  world.admin.steer({ verdict: "BUILD_FAILED", deployment: "other-name" });
  stack.program(declaring({ name: "other-name" }));
  expect((await stack.up()).code).not.toBe(0);

  stack.program(declaring({ name: "taken-back" }));
  const up = await stack.up();

  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(up.output).toContain(`${id} no longer needs to be replaced, so it is kept`);
  const { resources } = await stack.state();
  expect(resources.flatMap((one) => (one.id && one.type.includes("Deployment") ? [one.id] : []))).toEqual([
    id,
  ]);
  const names = (await world.deployments()).map(({ name }) => name);
  expect(names).toContain("taken-back");
  expect(names).not.toContain("other-name");
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("keeps the deployment if the engine requires a replacement, even one that deletes first", async () => {
  const stack = await world.stack("forced", declaring({ name: "forced" }));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { id } = (await stack.resource("agent"))!;
  world.writes();
  const replace = () => stack.run("up", "--yes", "--skip-preview", "--replace", stack.urn("agent"));

  const kept = await replace();
  expect(kept.output).toContain(
    "To replace a resource under the same name, set the resource option `deleteBeforeReplace: true`",
  );
  expect(world.writes()).toEqual([]);
  expect((await stack.resource("agent"))!.id).toBe(id);

  stack.program(declaring({ name: "forced" }, { deleteBeforeReplace: true }));
  const replaced = await replace();
  expect(replaced.code === 0 ? "" : replaced.output).toBe("");
  expect(world.writes().map(({ request }) => request)).toEqual([
    `DELETE /v2/deployments/${id}`,
    "POST /v2/deployments",
  ]);
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("keeps the deployment with protect and retainOnDelete", async () => {
  const stack = await world.stack("kept", declaring({}, { protect: true }));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const [deployment] = await world.deployments();
  world.writes();

  const refused = await stack.destroy();

  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain("because it is protected");

  stack.program(declaring({}, { retainOnDelete: true }));
  expect(await stack.up()).toMatchObject({ code: 0, changes: { same: 2 } });
  expect(await stack.destroy()).toMatchObject({ code: 0 });

  expect((await stack.state()).resources).toEqual([]);
  expect(world.writes()).toEqual([]);
  expect((await world.deployments()).map(({ id }) => id)).toEqual([deployment!.id]);
});
