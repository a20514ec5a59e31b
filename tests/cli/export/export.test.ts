import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExportOptions, exportWorkspace } from "../../../cli/export/export-workspace";
import type { DialectName } from "../../../provider/control-plane/dialects";
import type { DeploymentInputs } from "../../../provider/deployment/inputs";
import { declaredIn } from "../../../sdk/manifests/declared";
import { canary, World } from "../../provider/world";
import { Run } from "../connection-run";
import { type Fifty, makeFifty } from "./fifty";

jest.setTimeout(60_000);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentserver-export-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The export of a workspace into a folder of its own; nothing that it says holds a secret. */
async function exported(world: World, change: Partial<ExportOptions> = {}) {
  const options: ExportOptions = {
    ...{ format: "manifests", output: join(folder, "agents"), name: [], includeOwned: false, force: false },
    ...{ setSecrets: false },
    ...change,
  };
  const run = new Run(world, (surroundings) => exportWorkspace(surroundings, options, "0.1.0"));
  const code = await run.ended;
  expect(run.stdout + run.stderr).not.toContain(canary);
  return { code, stdout: run.stdout, stderr: run.stderr };
}

const read = (...path: string[]) => readFileSync(join(folder, ...path), "utf8");

async function fifty(dialect: DialectName): Promise<{ world: World; made: Fifty }> {
  const world = await World.start({ dialect });
  const request = (method: string, path: string, body?: object) => world.request(method, path, body);
  const made = await makeFifty({ dialect, admin: world.admin, request, canary });
  world.forget();
  return { world, made };
}

/** What the exported manifests declare, with the secrets of the control plane. */
async function declared(world: World): Promise<DeploymentInputs[]> {
  const { resources } = (await world.request("GET", "/v2/deployments?limit=100")) as {
    resources: { name: string; secrets: { name: string; value: string }[] }[];
  };
  const values = new Map<string, string>();
  const root = folder;
  const places = { root, manifests: "agents" };
  const keys = declaredIn<{ key: string }>("agents", places, {
    env: () => undefined,
    secret: (key) => ({ key }),
    join: ([part]) => part as { key: string },
  });
  for (const { args } of keys) {
    const { name, secrets = {} } = args as { name: string; secrets?: Record<string, { key: string }> };
    for (const [secret, { key }] of Object.entries(secrets)) {
      expect(values.has(key)).toBe(false);
      const theirs = resources.find((one) => one.name === name)!.secrets;
      values.set(key, theirs.find((one) => one.name === secret)!.value);
    }
  }
  const filled = declaredIn<string>("agents", places, {
    env: () => undefined,
    secret: (key) => values.get(key),
    join: (parts) => parts.join(""),
  });
  return filled.map(({ args }) => args as DeploymentInputs);
}

describe.each(["interface", "langsmith"] as const)("a workspace of fifty, %s", (dialect) => {
  test("is adopted without a revision, and nothing is to be done after that", async () => {
    const { world, made } = await fifty(dialect);
    const { code, stdout } = await exported(world);
    expect(code).toBe(0);
    expect(stdout).toContain(`${made.live.length} deployments written`);
    expect(stdout).toMatch(
      /Left out:\n {2}deleted \(.*\): is being deleted\n {2}\\u202eright.*: name must not hold/,
    );
    expect(stdout).toMatch(/another Pulumi resource has marked them .*:\n {2}owned \(/);
    expect(stdout).toContain(
      'displayed: No input can say, and so the control plane keeps: display_name "Shown as this".',
    );
    const inputs = await declared(world);
    expect(inputs.map(({ name }) => name).sort()).toEqual([...made.live].sort());
    world.admin.steer({ deployment: made.rolling, pace: { afterReads: 3 } });
    world.forget();

    const stacks = [];
    for (const wanted of inputs) {
      const stack = world.stack();
      expect([wanted.name, await stack.up(wanted)]).toEqual([
        wanted.name,
        { step: "create", checkFailures: [] },
      ]);
      stacks.push({ stack, wanted });
    }
    const written = world.writes.map(({ method, body }) => [method, Object.keys(body as object)]);
    const marks = made.live.map(() => ["PATCH", ["secrets"]]);
    expect(written).toEqual(dialect === "interface" ? marks : []);
    world.forget();

    for (const { stack, wanted } of stacks) {
      expect([wanted.name, await stack.preview(wanted)]).toMatchObject([wanted.name, { changes: false }]);
      expect(await stack.refresh()).toBe(true);
      expect([wanted.name, (await stack.up(wanted)).step]).toEqual([wanted.name, "same"]);
      expect((await stack.up({ ...wanted, adopt: undefined })).step).toBe("update");
    }
    expect(world.writes).toEqual([]);
  });
});
