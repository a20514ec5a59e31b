import { rmSync } from "node:fs";
import { join } from "node:path";
import { manifestOf, type ManifestSpec } from "../../sdk/manifests/format";
import { writeManifests } from "../../sdk/manifests/write";
import { manifestText, overlayText } from "../sdk/manifests/manifest-text";
import { writeFile } from "../tools/temporary-folder";
import { canaries } from "./canaries";
import { agentArgs, declaring } from "./programs";
import type { Stack } from "./stack";
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

const workspace = `const { Workspace } = require("pulumi-agentserver");
const agents = new Workspace("agents", { manifests: "deployments", environmentVariables: ["STAGE"] });
exports.urls = agents.urls;`;

/** Creates a project for a workspace with these files in its `deployments` folder. */
async function stackOf(name: string, files: Record<string, string>): Promise<Stack> {
  for (const [file, text] of Object.entries(files)) write(name, file, text);
  return world.stack(name, workspace);
}

function write(stack: string, file: string, text: string): void {
  writeFile(join(world.folder, stack, "deployments", file), text);
}

function remove(stack: string, file: string): void {
  rmSync(join(world.folder, stack, "deployments", file), { recursive: true });
}

const deploymentNames = async () => (await world.deployments()).map(({ name }) => name).sort();

test("creates, changes, and deletes deployments when the workspace's files change", async () => {
  const stack = await stackOf("folder", {
    "support.yaml": manifestText("secrets: { MODEL_KEY: '${secret:modelKey}' }", "support"),
    "sales/agents.yaml": `${manifestText("", "sales")}---\n${manifestText("name: ${env:STAGE}-sales", "sales-eu")}`,
  });
  await stack.config("modelKey", canaries.modelKey, "--secret");
  stack.environment("STAGE", "blue");

  const first = await stack.up();

  expect(first).toMatchObject({ code: 0, changes: { create: 5 } });
  expect(await deploymentNames()).toEqual(["blue-sales", "sales", "support"]);
  const [root] = (await stack.state()).resources;
  expect(Object.keys(root!.outputs!["urls"] as object).sort()).toEqual(["sales", "sales-eu", "support"]);
  const created = world.writes().map(({ body }) => body as { name: string; secrets: { name: string }[] });
  expect(created.find(({ name }) => name === "support")!.secrets).toContainEqual({
    name: "MODEL_KEY",
    value: expect.anything(),
  });
  const before = (await stack.resource("support"))!;
  expect(before.urn).toContain(
    "agentserver:index:Workspace$pulumi-nodejs:dynamic/agentserver:Deployment::support",
  );
  expect(before.inputs!["__call"]).toMatchObject({ urn: before.urn });

  remove("folder", "sales");
  write(
    "folder",
    "support.yaml",
    manifestText("secrets: { MODEL_KEY: '${secret:modelKey}' }", "support").replace(
      "repoRef: v1",
      "repoRef: v2",
    ),
  );
  const second = await stack.up();

  expect(second).toMatchObject({ code: 0, changes: { same: 2, update: 1, delete: 2 } });
  expect(await deploymentNames()).toEqual(["support"]);
  const after = (await stack.resource("support"))!;
  expect(after.id).toBe(before.id);
  expect(after.outputs!["ownerId"]).toBe(before.outputs!["ownerId"]);

  // The same manifest in a file with another name refers to the same deployment.
  remove("folder", "support.yaml");
  write(
    "folder",
    "renamed.yml",
    manifestText("secrets: { MODEL_KEY: '${secret:modelKey}' }", "support").replace(
      "repoRef: v1",
      "repoRef: v2",
    ),
  );
  world.writes();
  expect(await stack.up()).toMatchObject({ code: 0, changes: { same: 3 } });
  expect(world.writes()).toEqual([]);
});

test("sends nothing if a file is invalid, and reports each error with its location", async () => {
  const stack = await stackOf("faulty", { "a.yaml": manifestText("", "a"), "b.yaml": manifestText("", "b") });
  expect(await stack.up()).toMatchObject({ code: 0 });
  world.admin.clearJournal();
  // If the invalid manifest were ignored, `new` would be created and `b` would be deleted.
  remove("faulty", "b.yaml");
  write("faulty", "new.yaml", manifestText("", "new"));
  write(
    "faulty",
    "a.yaml",
    manifestText(
      `adopt: perhaps\nsecrets:\n  KEY: ${canaries.modelKey.replace(/["\\]/g, "")}\n  OTHER: \${secret:nothing}`,
      "a",
    ),
  );

  for (const run of [await stack.preview(), await stack.up()]) {
    expect(run.code).not.toBe(0);
    expect(run.output).toContain('2 faults in the manifests of workspace "agents"');
    expect(run.output).toContain("deployments/a.yaml:8:10: spec.adopt: invalid option");
    expect(run.output).toContain("deployments/a.yaml:10:10: spec.secrets.KEY: is a plaintext value");
    expect(run.output).toContain("pulumi config set --secret KEY");
    expect(run.output).not.toContain("canary-model");
    expect(run.output).not.toContain("    at ");
  }

  write("faulty", "a.yaml", manifestText("secrets: { OTHER: '${secret:nothing}' }", "a"));
  const missing = await stack.preview();
  expect(missing.output).toContain(
    "deployments/a.yaml:8:21: spec.secrets.OTHER: the stack's configuration has no nothing",
  );

  stack.program(workspace.replace('"deployments"', '"deploymnets"'));
  const wrongPath = await stack.up();
  expect(wrongPath.code).not.toBe(0);
  expect(wrongPath.output).toContain("There is no folder deploymnets in ");

  expect(world.admin.journal()).toEqual([]);
  expect(await deploymentNames()).toEqual(["a", "b"]);
});

test("keeps deployments whose files are deleted if protected (with an error) or retained", async () => {
  const stack = await stackOf("outliving", {
    "kept.yaml": manifestText("protect: true", "kept"),
    "left.yaml": manifestText("retain: true", "left"),
    "plain.yaml": manifestText("", "plain"),
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const left = (await world.deployments()).find(({ name }) => name === "left")!;
  world.writes();

  remove("outliving", "left.yaml");
  expect(await stack.up()).toMatchObject({ code: 0, changes: { same: 4, delete: 1 } });
  expect(await stack.resource("left")).toBeUndefined();
  expect((await world.deployments()).map(({ id }) => id)).toContain(left.id);

  remove("outliving", "kept.yaml");
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain("because it is protected");
  expect((await stack.up()).code).not.toBe(0);

  expect(world.writes()).toEqual([]);
  expect(await deploymentNames()).toEqual(["kept", "left", "plain"]);
});

test("applies the overlays of each stack, and reports an error in an overlay only for its stack", async () => {
  const stack = await stackOf("staged", {
    "a.yaml": manifestText("protect: true", "a"),
    "overlays/staged/a.yaml": overlayText("sourceRevisionConfig: { repoRef: staging }\nprotect: null", "a"),
    "overlays/other/a.yaml": overlayText("nonsense: true", "a"),
  });

  expect(await stack.up()).toMatchObject({ code: 0, changes: { create: 3 } });

  expect(world.writes()).toMatchObject([
    { request: "POST /v2/deployments", body: { source_revision_config: { repo_ref: "staging" } } },
  ]);
  expect((await stack.resource("a"))!.protect).toBeFalsy();

  write("staged", "overlays/staged/a.yaml", overlayText("sourceRevisionConfig: { repo_ref: staging }", "a"));
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.output).toContain(
    "deployments/overlays/staged/a.yaml:5:27: spec.sourceRevisionConfig.repo_ref: is not a field; did you mean repoRef?",
  );
  expect(world.writes()).toEqual([]);
});

test("moves a deployment from the program to a manifest without changes, using an alias", async () => {
  const stack = await world.stack("moved", declaring({ name: "agent" }));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const spec = agentArgs({ name: "agent" }) as ManifestSpec;
  write("moved", "agent.yaml", writeManifests([manifestOf("agent", spec)]));
  const before = (await stack.resource("agent"))!;
  world.writes();

  stack.program(`const { Workspace } = require("pulumi-agentserver");
const aliases = [{ parent: pulumi.rootStackResource }];
const transforms = [({ props, opts }) => ({ props, opts: { ...opts, aliases } })];
new Workspace("agents", { manifests: "deployments" }, { transforms });`);

  expect(await stack.up()).toMatchObject({ code: 0, changes: { create: 1, same: 2 } });
  const after = (await stack.resource("agent"))!;
  expect(after.urn).toContain("agentserver:index:Workspace$");
  expect([after.id, after.outputs!["ownerId"]]).toEqual([before.id, before.outputs!["ownerId"]]);
  expect(world.writes()).toEqual([]);
});
