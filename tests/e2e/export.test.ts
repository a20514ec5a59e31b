import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import type { DialectName } from "../../provider/control-plane/dialects";
import { type Fifty, makeFifty } from "../cli/export/fifty";
import { canaries, canariesIn, filesWithCanaries } from "./canaries";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(400_000);

const agentserver = join(repositoryRoot, "dist", "cli", "main.js");

let world: World;

afterEach(() => world.end());

/** Starts a world with fifty deployments that were created without Pulumi. */
async function startWithFifty(dialect: DialectName): Promise<Fifty> {
  world = await World.start({ dialect });
  const { baseUrl, apiKey, tenantId } = world.plane;
  const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-tenant-id": tenantId };
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  };
  const made = await makeFifty({
    dialect,
    admin: world.admin,
    request,
    canary: canaries.modelKey,
    fewSecrets: true,
  });
  world.admin.steer({ deployment: made.rolling, pace: { afterReads: 3 } });
  return made;
}

/** Runs the command in a folder, and checks that neither its output nor its files contain secrets. */
async function exportTo(output: string, cwd: string, ...words: string[]): Promise<string> {
  const shown = await new Promise<string>((resolve, reject) => {
    const options = { cwd, env: world.environment };
    execFile(
      process.execPath,
      [agentserver, "export", "--output", output, ...words],
      options,
      (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout + stderr),
    );
  });
  expect(canariesIn(shown)).toEqual([]);
  expect(filesWithCanaries(join(cwd, output))).toEqual([]);
  return shown;
}

const newest = async () =>
  (
    await world.get<{ resources: { id: string; latest_revision_id: string }[] }>("/v2/deployments?limit=100")
  ).resources
    .map((record) => `${record.id} ${record.latest_revision_id}`)
    .sort();

/**
 * Checks that the first `up` adopts everything, and that no later preview or `up` changes anything on the control
 * plane. Returns the writes of the first `up`.
 */
async function adoptsAll(
  stack: Stack,
  made: Fifty,
  others: number,
  withoutAdopt: () => void,
): Promise<object[]> {
  const before = await newest();
  world.writes();

  const up = await stack.up();

  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(up.changes).toEqual({ create: made.live.length + others });
  const writes = world.writes();
  expect(await newest()).toEqual(before);
  const preview = await stack.preview();
  expect([preview.code, preview.changes]).toEqual([0, { same: made.live.length + others }]);
  withoutAdopt();
  const later = await stack.up();
  expect([later.code, later.changes]).toEqual([0, { update: made.live.length, same: others }]);
  expect(world.writes()).toEqual([]);
  expect(await newest()).toEqual(before);
  return writes;
}

test("adopts fifty deployments with manifests, writing only their ownership tags", async () => {
  const made = await startWithFifty("interface");
  const stack = await world.stack(
    "manifests",
    'new (require("pulumi-agentserver").Workspace)("agents", { manifests: "deployments" });',
  );
  const project = join(world.folder, "manifests");
  const words = ["--format", "manifests", "--set-secrets", "--stack", "manifests"];
  const shown = await exportTo("deployments", project, ...words);
  expect(shown).toContain(`${made.live.length} deployments written to deployments.`);
  expect(shown).toMatch(/secrets set in the stack manifests/);

  const folder = join(project, "deployments");
  const writes = await adoptsAll(stack, made, 2, () => {
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), "utf8");
      writeFileSync(join(folder, name), text.replace(/^ {2}adopt: always\n/m, ""));
    }
  });

  expect(writes).toHaveLength(made.live.length);
  for (const write of writes)
    expect(write).toMatchObject({ request: expect.stringMatching(/^PATCH/), keys: ["secrets"] });
});

test("adopts fifty deployments without any writes if each write would create a revision", async () => {
  const made = await startWithFifty("langsmith");
  const stack = await world.stack("program");
  const file = join(world.folder, "program", "index.ts");
  rmSync(join(world.folder, "program"), { recursive: true });

  await exportTo("program", world.folder, "--format", "program", "--set-secrets", "--stack", "program");

  const writes = await adoptsAll(stack, made, 1, () => {
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('  adopt: "always",\n', ""));
  });
  expect(writes).toEqual([]);
});

test("imports deployments without changing the control plane, and owns them afterward", async () => {
  world = await World.start();
  world.admin.steer({ pace: "at once" });
  const { baseUrl, apiKey, tenantId } = world.plane;
  const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-tenant-id": tenantId };
  for (const name of ["support agent", "research"])
    await fetch(`${baseUrl}/v2/deployments`, {
      method: "POST",
      headers,
      body: JSON.stringify({
        name,
        source: "github",
        source_config: { repo_url: "https://git.example.com/agents.git", deployment_type: "dev" },
        source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
        secrets: [{ name: "MODEL_KEY", value: canaries.modelKey }],
      }),
    });
  const stack = await world.stack("imported");
  const project = join(world.folder, "imported");
  rmSync(project, { recursive: true });

  const shown = await exportTo(
    "imported",
    world.folder,
    "--format",
    "import",
    "--set-secrets",
    "--stack",
    "imported",
  );
  expect(shown).toContain("2 deployments written to imported.");
  world.writes();

  const words = ["--file", "import.json", "--generate-code=false", "--protect=false", "--yes"];
  const imported = await stack.run("import", "--stack", "imported", ...words);
  expect([imported.code, imported.code === 0 ? "" : imported.output]).toEqual([0, ""]);
  const refreshed = await stack.run("refresh", "--yes");
  expect(refreshed.code === 0 ? "" : refreshed.output).toBe("");
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0, changes: { same: 3 } });
  expect(world.writes()).toEqual([]);

  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});
