import { randomBytes } from "node:crypto";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unknownValue } from "@pulumi/pulumi/runtime";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import * as archive from "../../../../provider/local-source/archive";
import { archiveOf } from "../../../emulator/control-plane/uploads/archive";
import { temporaryFolder, writeFile } from "../../../tools/temporary-folder";
import type { ServerLimits } from "../../server-limits";
import { agent, canary, World } from "../../world";

const start = (): Promise<World> => World.start({ dialect: "langsmith", state: temporaryFolder() });

/** Creates a folder that contains an agent. */
function source(files: Record<string, string> = {}): string {
  const folder = temporaryFolder();
  change(folder, {
    "langgraph.json": '{"graphs": {"agent": "./graph.mjs:graph"}}',
    "graph.mjs": "1",
    ...files,
  });
  return folder;
}

function change(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) writeFile(join(folder, path), text);
}

const local = (folder: string, more: Partial<DeploymentInputs> = {}): DeploymentInputs =>
  agent({
    source: "internal_source",
    sourceConfig: { deploymentType: "dev" },
    sourceRevisionConfig: { folder },
    ...more,
  });

/** Returns the method of each write and the last segment of its path. */
const writes = (world: World): string[] =>
  world.writes.map(({ method, path }) =>
    path.includes("/upload") && method === "PUT"
      ? "PUT upload"
      : `${method} ${path
          .split("/")
          .at(-1)!
          .replace(/^[0-9a-f-]{36}$/, "id")}`,
  );

/** Moves a stack to a new provider process, which has not read any of the folders. Returns the stack. */
async function inNewProcess(world: World, stack: Awaited<ReturnType<World["deployed"]>>) {
  stack.host = world.host();
  world.forget();
  return stack;
}

/** Deploys other contents in the same way as the command-line client, which replaces the whole environment. */
async function deployWithClient(world: World, id: string): Promise<void> {
  const path = `/v2/deployments/${id}`;
  const { upload_url, object_path, upload_headers } = (await world.request("POST", `${path}/upload-url`, {
    supports_upload_headers: true,
  })) as { upload_url: string; object_path: string; upload_headers: Record<string, string> };
  const body = new Uint8Array(archiveOf({ "langgraph.json": "{}" }));
  const headers = { "content-type": "application/gzip", ...upload_headers };
  expect((await fetch(upload_url, { method: "PUT", body, headers })).status).toBe(200);
  await world.request("PATCH", path, {
    revision_source: "internal_source",
    source_revision_config: { source_tarball_path: object_path, langgraph_config_path: "langgraph.json" },
    secrets: [{ name: "MODEL_API_KEY", value: `${canary}-model` }],
  });
  await world.clock.advance(60_000);
}

test("sends a folder once, and creates one revision", async () => {
  const world = await start();
  const stack = world.stack();
  const folder = source();
  expect(await stack.up(local(folder))).toEqual({ step: "create", checkFailures: [] });
  expect(writes(world)).toEqual(["POST deployments", "POST upload-url", "PUT upload", "PATCH id"]);
  const [patch] = world.writes.slice(-1);
  expect(patch!.body).toMatchObject({
    revision_source: "internal_source",
    source_revision_config: { langgraph_config_path: "langgraph.json" },
  });
  expect(patch!.body).not.toHaveProperty("source_revision_config.folder");
  expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOYED" });
  expect(await world.request("GET", `/v2/deployments/${stack.deploymentId}/revisions`)).toMatchObject({
    resources: [{ status: "DEPLOYED" }],
  });
});

test("rejects contents that the previous environment has not verified", async () => {
  const world = await start();
  const folder = source();
  const { state } = await world.deployed(local(folder));
  const { contentHash } = state.sourceRevisionConfig;
  const promoted = local(folder, { name: "production", sourceRevisionConfig: { folder, contentHash } });
  change(folder, { "graph.mjs": "2" });
  world.forget();
  const other = world.stack();
  const { checkFailures } = await other.up(promoted);
  expect(checkFailures).toEqual([
    expect.objectContaining({
      reason: expect.stringMatching(/^sourceRevisionConfig\.folder.* differs from the contents/),
    }),
  ]);
  expect(world.writes).toEqual([]);
  change(folder, { "graph.mjs": "1" });
  expect(await (await inNewProcess(world, other)).up(promoted)).toEqual({
    step: "create",
    checkFailures: [],
  });
});

test("records the content hash of each verified folder", async () => {
  const world = await start();
  const folder = source();
  const rollout = { verify: { ok: false } };
  const stack = await world.deployed(local(folder, { rollout }));
  const first = stack.state.sourceRevisionConfig.contentHash;
  change(folder, { "graph.mjs": "2" });
  await inNewProcess(world, stack);
  await stack.up(local(folder, { rollout }));
  const { current, history } = stack.state.verified;
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(current).toEqual(history[0]);
  expect(history.map(({ source, artifact }) => [source, artifact])).toEqual([
    ["internal_source", stack.state.sourceRevisionConfig.contentHash],
    ["internal_source", first],
  ]);
});

test("sends nothing if only file times, the path, or the process differ", async () => {
  const world = await start();
  const folder = source();
  const stack = await world.deployed(local(folder));
  utimesSync(join(folder, "graph.mjs"), 1, 1);
  await inNewProcess(world, stack);
  expect(await stack.up(local(folder))).toMatchObject({ step: "same" });
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(local(folder))).toMatchObject({ step: "same" });
  await stack.up(local(source()));
  expect(writes(world)).toEqual([]);
});

test("creates one revision for changed content, and lists the files in the preview", async () => {
  const world = await start();
  const folder = source({ "old.mjs": "" });
  const stack = await world.deployed(local(folder));
  const first = stack.state.latestRevisionId;
  change(folder, { "graph.mjs": "2", "new.mjs": "" });
  await inNewProcess(world, stack);
  expect(await stack.preview(local(folder))).toMatchObject({ changes: true });
  expect(world.log.kept).toContain("2 of 4 files changed: graph.mjs, new.mjs (new)");
  expect(await stack.up(local(folder))).toMatchObject({ step: "update" });
  expect(writes(world)).toEqual(["POST upload-url", "PUT upload", "PATCH id"]);
  expect(stack.state.latestRevisionId).not.toBe(first);
  expect(world.log.kept).not.toContain(canary);
});

test.each([
  ["the upload address", "POST", "/v2/deployments/:id/upload-url"],
  ["the change", "PATCH", "/v2/deployments/:id"],
])("creates one revision when the response to %s is lost", async (_what, method, path) => {
  const world = await start();
  const folder = source();
  const stack = await world.deployed(local(folder));
  change(folder, { "graph.mjs": "2" });
  await inNewProcess(world, stack);
  world.admin.fault({ kind: "reset", when: "after", method, path });
  const { failure } = await stack.up(local(folder));
  if (failure) await stack.up(local(folder));
  const { resources } = (await world.request("GET", `/v2/deployments/${stack.deploymentId}/revisions`)) as {
    resources: object[];
  };
  expect(resources).toHaveLength(2);
  expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
});

test("detects an upload or redeploy by another client as drift", async () => {
  const world = await start();
  const folder = source();
  const stack = await world.deployed(local(folder));
  const first = stack.state.latestRevisionId;
  change(folder, { "graph.mjs": "2" });
  await inNewProcess(world, stack);
  await stack.up(local(folder));
  await world.request("POST", `/v2/deployments/${stack.deploymentId}/revisions/${first}/redeploy`);
  await world.clock.advance(60_000);
  world.forget();
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(local(folder))).toMatchObject({ step: "update" });
  expect(writes(world)).toEqual(["POST upload-url", "PUT upload", "PATCH id"]);
});

test("detects a deploy with the command-line client as drift", async () => {
  const world = await start();
  const folder = source();
  const stack = await world.deployed(local(folder));
  await deployWithClient(world, stack.deploymentId);
  world.forget();
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(local(folder))).toMatchObject({ step: "update" });
  expect(writes(world)).toEqual(["POST upload-url", "PUT upload", "PATCH id"]);
});

test("does not create a revision if the default configuration file is specified explicitly", async () => {
  const world = await start();
  const folder = source();
  const stack = await world.deployed(local(folder));
  const named = local(folder, { sourceRevisionConfig: { folder, graphConfigPath: "langgraph.json" } });
  expect(await stack.up(named)).toMatchObject({ step: "update" });
  expect(writes(world)).toEqual([]);
});

test("does not send the folder again after adopting a deployment of the same folder", async () => {
  const world = await start();
  const folder = source();
  await world.deployed(local(folder));
  const stack = world.stack();
  expect(await stack.up(local(folder, { adopt: "always" }))).toMatchObject({ step: "create" });
  await inNewProcess(world, stack);
  await stack.refresh();
  expect(await stack.up(local(folder, { adopt: "always" }))).toMatchObject({ step: "same" });
});

test("sends the folder of an adopted deployment only after others deploy (unmanaged secrets)", async () => {
  const world = await start();
  const folder = source();
  const { deploymentId } = await world.deployed(local(folder));
  await deployWithClient(world, deploymentId);
  const stack = world.stack();
  const inputs = local(folder, { adopt: "always", secrets: undefined });
  expect(await stack.up(inputs)).toMatchObject({ step: "create" });
  world.forget();
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(inputs)).toMatchObject({ step: "same" });
  expect(writes(world)).toEqual([]);
  await deployWithClient(world, deploymentId);
  world.forget();
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(inputs)).toMatchObject({ step: "update" });
  expect(writes(world)).toEqual(["POST upload-url", "PUT upload", "PATCH id"]);
});

test.each<[string, Partial<DeploymentInputs>, Partial<DeploymentInputs>]>([
  ["the display name, with unmanaged secrets", { secrets: undefined }, { displayName: "Support" }],
  ["the display name, with managed secrets", {}, { displayName: "Support" }],
  ["the compute size, with unmanaged secrets", { secrets: undefined }, { computeTier: "DEDICATED_M" }],
  ["the compute size, with managed secrets", {}, { computeTier: "DEDICATED_M" }],
])("sends the folder if others deployed before a change to %s", async (_, given, change) => {
  const world = await start();
  const folder = source();
  const sourceConfig = { deploymentType: "dedicated" as const };
  const { deploymentId } = await world.deployed(local(folder, { sourceConfig }));
  await deployWithClient(world, deploymentId);
  const stack = world.stack();
  const inputs = local(folder, { adopt: "always", sourceConfig, ...given });
  await stack.up(inputs);
  await deployWithClient(world, deploymentId);
  const changed = { ...inputs, ...change };
  world.forget();
  expect(await stack.up(changed)).toMatchObject({ step: "update" });
  expect(writes(world)).toHaveLength(1);
  expect(await stack.refresh()).toBe(true);
  world.forget();
  expect(await stack.up(changed)).toMatchObject({ step: "update" });
  expect(writes(world)).toEqual(["POST upload-url", "PUT upload", "PATCH id"]);
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(changed)).toMatchObject({ step: "same" });
});

test("sends a rejected archive only once, and reports the reason", async () => {
  const world = await start();
  world.admin.fault({
    kind: "status",
    status: 400,
    detail: "The archive is refused.",
    method: "PUT",
    times: 9,
  });
  const { failure } = await world.stack().up(local(source()));
  expect(failure!.reasons!.join()).toContain("returned 400: The archive is refused.");
  expect(writes(world)).toEqual(["POST deployments", "POST upload-url", "PUT upload"]);
});

test("rejects a folder whose archive is over the limit before the POST", async () => {
  const world = await start();
  const folder = source();
  writeFileSync(join(folder, "data.bin"), randomBytes(300_000));
  const requireFit = archive.requireFit;
  jest.spyOn(archive, "requireFit").mockImplementation((one) => requireFit(one, 200_000));
  const { checkFailures } = await world
    .stack()
    .up(local(folder))
    .finally(() => jest.restoreAllMocks());
  expect(checkFailures.map(({ reason }) => reason)).toEqual([
    expect.stringContaining("folder: The archive of the source is larger than 195.3 KiB"),
  ]);
  expect(writes(world)).toEqual([]);
});

describe("a dependency outside the project", () => {
  test("is rejected in the preview, and nothing is sent", async () => {
    const world = await start();
    const root = temporaryFolder({
      "agent/langgraph.json": '{"dependencies": ["../keys"], "graphs": {}}',
      "keys/id": "",
    });
    const { checkFailures } = await world.stack().up(local(join(root, "agent")));
    expect(checkFailures.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(
        /folder: langgraph\.json contains dependencies outside .*: .*\/keys\. To send them, list them in /,
      ),
    ]);
    expect(writes(world)).toEqual([]);
  });

  test("is sent, and listed in the preview, if dependencyFolders lists it", async () => {
    const world = await start();
    const root = temporaryFolder({
      "agent/langgraph.json": '{"dependencies": ["../keys"], "graphs": {}}',
      "keys/id": "",
    });
    const folder = join(root, "agent");
    const inputs = local(folder, {
      sourceRevisionConfig: { folder, dependencyFolders: [join(root, "keys")] },
    });
    const stack = world.stack();
    expect(await stack.up(inputs)).toEqual({ step: "create", checkFailures: [] });
    expect(world.log.lines("info").join()).toContain(
      `sourceRevisionConfig.dependencyFolders: sends ${join(root, "keys")}, which is outside the project`,
    );
    expect(JSON.stringify(world.writes.map(({ body }) => body))).not.toMatch(/dependency|keys/);
    await inNewProcess(world, stack);
    expect(await stack.up(inputs)).toMatchObject({ step: "same" });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.up(inputs)).toMatchObject({ step: "same" });
  });
});

test.each<[string, object]>([
  ["folder", { folder: unknownValue }],
  ["dependencyFolders", { dependencyFolders: unknownValue }],
  ["an entry of dependencyFolders", { dependencyFolders: [unknownValue] }],
])("plans an update without a failure while %s is not known yet", async (_what, change) => {
  const world = await start();
  const folder = source();
  const stack = await world.deployed(local(folder));
  await inNewProcess(world, stack);
  const inputs = local(folder, { sourceRevisionConfig: { folder, ...change } });
  expect((await stack.check(inputs)).failures).toEqual([]);
  expect(await stack.preview(inputs)).toMatchObject({ changes: true, replaces: [] });
});

test.each([
  [
    "change",
    (folder: string) => change(folder, { "graph.mjs": "3" }),
    /The files in .* changed during this update/,
  ],
  ["disappear", (folder: string) => rmSync(folder, { recursive: true }), /There is no folder /],
])("uploads nothing if files %s after the check, and succeeds the next time", async (_what, edit, text) => {
  const world = await start();
  const folder = source();
  const stack = await world.deployed(local(folder));
  change(folder, { "graph.mjs": "2" });
  await inNewProcess(world, stack);
  // Called at the end of the check.
  jest.spyOn(archive, "requireFit").mockImplementation(() => Promise.resolve(edit(folder)));
  const { failure } = await stack.up(local(folder)).finally(() => jest.restoreAllMocks());
  expect([failure?.message, ...(failure?.reasons ?? [])].join("\n")).toMatch(text);
  expect(writes(world)).toEqual([]);
  change(folder, { "langgraph.json": '{"graphs": {}}', "graph.mjs": "4" });
  await inNewProcess(world, stack);
  expect(await stack.up(local(folder))).toMatchObject({ step: "update" });
  expect(writes(world)).toEqual(["POST upload-url", "PUT upload", "PATCH id"]);
});

test("records changed dependencyFolders without a request", async () => {
  const world = await start();
  const folder = source();
  const stack = await world.deployed(local(folder));
  for (const dependencyFolders of [[folder], undefined]) {
    await inNewProcess(world, stack);
    const inputs = local(folder, { sourceRevisionConfig: { folder, dependencyFolders } });
    expect(await stack.up(inputs)).toMatchObject({ step: "update" });
    expect(await stack.up(inputs)).toMatchObject({ step: "same" });
  }
  expect(writes(world)).toEqual([]);
});

test.each([
  [[".env"], ".env, which often contains secrets; list it in"],
  [
    [
      ".env.local",
      ".envrc",
      "a/.env.production",
      "a/id_ed25519",
      "tls/server.key",
      "tls/server.pem",
      "x.pfx",
    ],
    ".env.local, .envrc, a/.env.production, a/id_ed25519, tls/server.key, tls/server.pem, x.pfx, which often contain secrets; list them in",
  ],
  [
    [".netrc", "gha-creds-0a1b.json", "my-service-account.json", "secrets.yaml"],
    ".netrc, gha-creds-0a1b.json, my-service-account.json, secrets.yaml, which often contain secrets",
  ],
  [Array.from({ length: 12 }, (_, n) => `k${n}.pem`), "k7.pem, 2 more, which often contain secrets"],
  [
    [".env.example", "id_rsa.pub", "environment.ts", "keys.ts", "key.json", "secrets.py", "monkey"],
    undefined,
  ],
])("warns only about files that often contain secrets: %j", async (names, text) => {
  const world = await start();
  await world.stack().up(local(source(Object.fromEntries(names.map((name) => [name, "x"])))));
  const warnings = world.log.lines("warning").join();
  if (text === undefined) expect(warnings).not.toContain("often contain");
  else expect(warnings).toContain(text);
});

test("adopts a foreign upload with the same name, and tags it with one revision", async () => {
  const world = await start();
  const folder = source();
  const theirs = await world.deployed(local(folder, { secrets: { MODEL_KEY: `${canary}-model` } }));
  const { secrets } = (await world.record(theirs)) as { secrets: { name: string }[] };
  await world.request("PATCH", `/v2/deployments/${theirs.deploymentId}`, {
    secrets: secrets.filter(({ name }) => name !== "AGENTSERVER_OWNER"),
  });
  await world.clock.advance(60_000);
  const stack = world.stack();
  world.forget();
  expect((await stack.up(local(folder))).failure?.message).toContain("already exists");
  expect(await stack.up(local(folder, { adopt: "always" }))).toMatchObject({ step: "create" });
  expect(stack.deploymentId).toBe(theirs.deploymentId);
  expect(writes(world)).toEqual(["POST upload-url", "PUT upload", "PATCH id"]);
  await inNewProcess(world, stack);
  await stack.refresh();
  expect(await stack.up(local(folder, { adopt: "always" }))).toMatchObject({ step: "same" });
});

test("creates a revision without an upload for changed secrets", async () => {
  const world = await start();
  const folder = source();
  const stack = await world.deployed(local(folder));
  await stack.up(local(folder, { secrets: { OTHER: `${canary}-other` } }));
  expect(writes(world)).toEqual(["PATCH id"]);
  await inNewProcess(world, stack);
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(local(folder, { secrets: { OTHER: `${canary}-other` } }))).toMatchObject({
    step: "same",
  });
});

test("keeps the deployment of a folder with thousands of files when its rollout fails", async () => {
  const world = await start();
  const files = Array.from({ length: 3_000 }, (_, at) => [`src/part-${at % 40}/module-${at}.mjs`, `${at}`]);
  const folder = source(Object.fromEntries(files) as Record<string, string>);
  const stack = world.stack();
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  const { failure } = await stack.up(local(folder));
  expect(failure?.id).toBe(stack.deploymentId);
  await inNewProcess(world, stack);
  expect(await stack.up(local(folder))).toMatchObject({ step: "update" });
  expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
});

describe("an interrupted create", () => {
  test("is resumed if it was interrupted before its upload", async () => {
    const world = await start();
    const stack = world.stack();
    world.admin.fault({
      kind: "status",
      status: 400,
      method: "POST",
      path: "/v2/deployments/:id/upload-url",
      times: 9,
    });
    const { failure } = await stack.up(local(source()));
    expect(failure?.reasons?.join()).toMatch(/was created, but the operation is not finished/);
    await inNewProcess(world, stack);
    world.admin.clearFaults();
    expect(await stack.up(local(source()))).toMatchObject({ step: "update" });
    expect(writes(world)).toEqual(["POST upload-url", "PUT upload", "PATCH id"]);
  });

  test("causes a conflict unless adopted, because no owner is reported without a revision", async () => {
    const world = await start();
    const folder = source();
    world.admin.fault({
      kind: "status",
      status: 400,
      method: "POST",
      path: "/v2/deployments/:id/upload-url",
      times: 9,
    });
    const lost = world.stack();
    await lost.up(local(folder));
    world.admin.clearFaults();
    await world.clock.advance(16 * 60_000);
    world.forget();
    const again = world.stack({ AGENTSERVER_OFFLINE: undefined }, lost.urn);
    const { checkFailures } = await again.up(local(folder));
    expect(checkFailures.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(
        /already exists and has no reported owner.*so this resource may have created the deployment/,
      ),
    ]);
    expect(world.writes).toEqual([]);
    expect((await again.up(local(folder, { adopt: "always" }))).step).toBe("create");
    expect(again.deploymentId).toBe(lost.deploymentId);
    expect(writes(world)).toEqual(["POST upload-url", "PUT upload", "PATCH id"]);
    expect((await again.up(local(folder))).failure).toBeUndefined();
    expect(writes(world)).toHaveLength(3);
  });

  test("is resumed without another upload if its revision exists", async () => {
    const world = await start();
    const folder = source();
    const stack = await world.deployed(local(folder));
    const id = stack.deploymentId;
    Object.assign(stack, { id: undefined, inputs: {}, outputs: {} });
    await inNewProcess(world, stack);
    expect(await stack.up(local(folder))).toMatchObject({ step: "create" });
    expect(stack.deploymentId).toBe(id);
    expect(writes(world)).toEqual([]);
  });
});

test.each<[string, (folder: string) => DeploymentInputs, RegExp]>([
  [
    "a list of dependency folders without a folder",
    () => agent({ sourceRevisionConfig: { dependencyFolders: ["../lib"] } }),
    /dependencyFolders: requires sourceRevisionConfig\.folder/,
  ],
  ["a missing folder", (folder) => local(join(folder, "no")), /folder: There is no folder/],
  [
    "a folder for another source",
    (folder) => agent({ sourceRevisionConfig: { folder } }),
    /folder: applies only if source is internal_source/,
  ],
  [
    "a folder and a reference",
    (folder) => local(folder, { sourceRevisionConfig: { folder, repoRef: "main" } }),
    /repoRef: cannot be combined with sourceRevisionConfig\.folder/,
  ],
  [
    "a content hash that the program specifies",
    () => local("", { sourceRevisionConfig: { contentHash: "0".repeat(64) } }),
    /contentHash: is computed by the provider; omit it/,
  ],
])("rejects, in the preview, %s", async (_what, inputs, text) => {
  const world = await start();
  const { failures } = await world.stack({ AGENTSERVER_DIALECT: "langsmith" }).check(inputs(source()));
  expect(failures.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(text));
});

test.each<ServerLimits>([{}, { secrets: "masked" }, { secrets: "omitted" }])(
  "creates the first revision only once if the response is lost and the source is hidden (%j)",
  async (limits) => {
    const hides = ["source_revision_config"];
    const world = await World.start({ dialect: "langsmith", state: temporaryFolder() }, { ...limits, hides });
    world.admin.fault({ kind: "reset", when: "after", method: "PATCH", path: "/v2/deployments/:id" });
    const stack = world.stack();
    expect(await stack.up(local(source()))).toEqual({ step: "create", checkFailures: [] });
    expect(writes(world)).toEqual(["POST deployments", "POST upload-url", "PUT upload", "PATCH id"]);
    expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOYED" });
  },
);

test("sends a setting with a changed folder if the environment cannot be sent", async () => {
  const world = await World.start({ dialect: "langsmith", state: temporaryFolder() }, { secrets: "omitted" });
  const folder = source();
  const stack = await world.deployed(local(folder, { secrets: undefined, displayName: "Old" }));
  await inNewProcess(world, stack);
  change(folder, { "graph.mjs": "2" });
  expect((await stack.up(local(folder, { secrets: undefined, displayName: "New" }))).failure).toBeUndefined();
  expect(await world.record(stack)).toMatchObject({ display_name: "New" });
  expect(writes(world)).toEqual(["POST upload-url", "PUT upload", "PATCH id"]);
});
