import { canaries } from "./canaries";
import { World } from "./world";

let world: World;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith" });
  world.admin.steer({ pace: "at once" });
  world.admin.setSelfHostedEnterprise(true);
});
afterEach(() => world.writes());
afterAll(() => world.end());

const github = `source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git", deploymentType: "dedicated", buildOnPush: false },
  sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },`;

const declaring = (args: string, options = "{}") => `
const agent = new Deployment("agent", { ${args} }, ${options});
exports.name = agent.name;
`;

test("shows plain variables in a preview, but no current or former secrets", async () => {
  const named = `name: "plain", ${github}`;
  const stack = await world.stack("plain", declaring(`${named} environmentVariables: { LOG: "info" }`));
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(
    declaring(
      `${named} environmentVariables: { LOG: "debug" }, secrets: { KEY: config.requireSecret("key") }`,
    ),
  );
  await stack.config("key", canaries.modelKey, "--secret");
  const preview = await stack.preview("--diff");
  expect(preview.output).toMatch(/environmentVariables\.LOG info → debug/);
  expect(await stack.up()).toMatchObject({ code: 0 });
  world.writes();

  // A plain variable is not secret, but its previous value still is.
  stack.program(declaring(`${named} environmentVariables: { LOG: "debug", KEY: "now plain" }, secrets: {}`));
  expect((await stack.up()).output).toMatch(/needs a new revision: environmentVariables\.KEY /);
  expect(world.writes().map(({ keys }) => keys)).toEqual([["secrets"]]);
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("uses the deployment name that the control plane generates for an agent", async () => {
  const stack = await world.stack(
    "agent",
    declaring(`agent: { agentId: "support", environment: "staging" }, displayName: "Support", ${github}`),
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  const [made] = await world.deployments();
  const all = await world.deployments();
  const own = all.find(({ name }) => name.includes("support")) ?? made!;
  expect((await stack.run("stack", "output", "name")).stdout.trim()).toBe(own.name);
  expect(world.writes().map(({ request, keys }) => [request.split(" ")[0], keys.includes("name")])).toEqual([
    ["POST", false],
    ["PATCH", false],
  ]);
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
});

describe("deletionProtection", () => {
  test("fails a preview that would delete the deployment, until it is unprotected", async () => {
    const safe = declaring(`name: "safe", ${github} deletionProtection: true`);
    const stack = await world.stack("safe", safe);
    expect(await stack.up()).toMatchObject({ code: 0 });
    world.writes();

    stack.program("");
    expect((await stack.preview()).code).not.toBe(0);
    stack.program(declaring(`name: "safer", ${github} deletionProtection: true`));
    const replacing = await stack.preview();
    expect(replacing.code).not.toBe(0);
    expect(replacing.output).toContain("deletionProtection");
    expect((await stack.destroy()).code).not.toBe(0);
    expect(world.writes()).toEqual([]);

    stack.program(declaring(`name: "safe", ${github} deletionProtection: false`));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(world.writes().map(({ request }) => request.split(" ")[0])).toEqual(["DELETE"]);
  });

  test("sets the engine's protect option even if the value is an output", async () => {
    const safe = (value: boolean) =>
      declaring(`name: "output", ${github} deletionProtection: pulumi.output(${value})`);
    const stack = await world.stack("output", safe(true));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    world.writes();
    stack.program("");
    expect((await stack.preview()).code).not.toBe(0);
    expect(world.writes()).toEqual([]);
    stack.program(safe(false));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });

  test("prevents the deletion even if the engine's protect option is false", async () => {
    const kept = declaring(`name: "kept", ${github} deletionProtection: true`, "{ protect: false }");
    const stack = await world.stack("kept", kept);
    expect(await stack.up()).toMatchObject({ code: 0 });
    world.writes();
    const refused = await stack.destroy();
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain("was not deleted because deletionProtection is set");
    expect(world.writes()).toEqual([]);
  });
});

test("applies a repository change in place, or replaces the deployment if requested", async () => {
  const at = (name: string, options?: string) =>
    declaring(`name: "moving", ${github.replace("agents.git", `${name}.git`)}`, options);
  const stack = await world.stack("moving", at("one"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const id = (await stack.resource("agent"))!.id!;
  world.writes();
  stack.program(at("two"));
  expect(await stack.up()).toMatchObject({ code: 0, changes: { update: 1 } });
  expect(world.writes().map(({ keys }) => keys)).toEqual([["source_config", "source_revision_config"]]);
  expect(await world.revisions(id)).toEqual(["DEPLOYED", "DEPLOYED"]);

  const options = '{ replaceOnChanges: ["sourceConfig.repoUrl"], deleteBeforeReplace: true }';
  stack.program(at("three", options));
  const replaced = await stack.up();
  expect(replaced.code === 0 ? "" : replaced.output).toBe("");
  expect(world.writes().map(({ request }) => request.split(" ")[0])).toEqual(["DELETE", "POST"]);
});

test.each([
  [
    "an image",
    `source: "external_docker", sourceConfig: { resourceSpec: {} }, sourceRevisionConfig: { imageUri: "registry.test/a:1" },`,
  ],
  [
    "a template",
    `source: "internal_template", sourceConfig: { templateId: "react-agent" }, sourceRevisionConfig: {},`,
  ],
])("creates and deletes a deployment of %s", async (what, source) => {
  const name = what.split(" ")[1]!;
  const stack = await world.stack(name, declaring(`name: "of-${name}", ${source}`));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect((await stack.resource("agent"))!.outputs).toMatchObject({ settledRevision: { status: "DEPLOYED" } });
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
  expect(world.writes().map(({ request }) => request)).toEqual(["POST /v2/deployments"]);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});
