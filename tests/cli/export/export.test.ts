import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExportOptions, exportWorkspace } from "../../../cli/export/export-workspace";
import type { DialectName } from "../../../provider/control-plane/dialects";
import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import { declaredIn } from "../../../sdk/manifests/declared";
import { canary, World } from "../../provider/world";
import { Run } from "../connection-run";
import { type Fifty, makeFifty } from "./fifty";

let folder: string;

/** Resource in a file for `pulumi import`. */
interface ImportedResource {
  type: string;
  name: string;
  id: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentserver-export-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Exports a workspace into a new folder and checks that the output contains no secrets. */
async function exported(world: World, change: Partial<ExportOptions> = {}) {
  const options: ExportOptions = {
    format: "manifests",
    provider: "dynamic",
    output: join(folder, "agents"),
    name: [],
    includeOwned: false,
    force: false,
    setSecrets: false,
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

/** Returns the resources that the exported manifests declare, with the secrets of the control plane. */
async function declared(world: World): Promise<DeploymentInputs[]> {
  const { resources } = (await world.request("GET", "/v2/deployments?limit=100")) as {
    resources: { name: string; secrets: { name: string; value: string }[] }[];
  };
  const values = new Map<string, string>();
  const root = folder;
  const places = { root, manifests: "agents" };
  const keys = declaredIn<{ key: string }>("agents", places, {
    env: () => undefined,
    readableVariables: [],
    hide: (key: string) => ({ key }),
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
    readableVariables: [],
    hide: (value: string) => value,
    secret: (key) => values.get(key),
    join: (parts) => parts.join(""),
  });
  return filled.map(({ args }) => args as DeploymentInputs);
}

describe.each(["interface", "langsmith"] as const)(
  "a workspace with fifty deployments in the %s dialect",
  (dialect) => {
    test("is adopted without a new revision, after which a preview shows no changes", async () => {
      const { world, made } = await fifty(dialect);
      const { code, stdout } = await exported(world);
      expect(code).toBe(0);
      expect(stdout).toContain(`${made.live.length} deployments written`);
      expect(stdout).toMatch(
        /Omitted:\n {2}deleted \(.*\): is being deleted\n {2}\\u202eright.*: name must not contain/,
      );
      expect(stdout).toMatch(/other Pulumi resources own them .*:\n {2}owned \(/);
      const inputs = await declared(world);
      expect(inputs).toContainEqual(expect.objectContaining({ displayName: "Shown as this" }));
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
  },
);

describe("the command", () => {
  const ownerId = "3b241101-e2bb-4255-8caf-4136c566a962";
  const mark = {
    name: "AGENTSERVER_OWNER",
    value: `${ownerId}/1/2026-01-02T03:04:05.000Z/acme/shop/prod/owned/.`,
  };

  async function withAgents(...agents: { name: string; secrets?: object[] }[]): Promise<World> {
    const world = await World.start();
    for (const { name, secrets = [{ name: "KEY", value: `${canary}-${name}\n` }] } of agents)
      await world.request("POST", "/v2/deployments", {
        name,
        source: "github",
        source_config: { repo_url: "https://git.example.com/a.git" },
        source_revision_config: { repo_ref: "v1", graph_config_path: "langgraph.json" },
        secrets,
      });
    return world;
  }

  const files = () => readdirSync(join(folder, "agents")).sort();

  test("writes manifests with references instead of secrets, and prints the next steps", async () => {
    const world = await withAgents({ name: "support-agent" });
    expect((await exported(world)).code).toBe(0);
    expect(files()).toEqual(["README.md", "support-agent.yaml"]);
    expect(read("agents", "support-agent.yaml").replace(/[0-9a-f-]{36}/, "<id>")).toBe(
      `# Deployment <id>
apiVersion: agentserver/v1
kind: Deployment
metadata:
  name: support-agent
spec:
  source: github
  sourceConfig:
    repoUrl: https://git.example.com/a.git
  sourceRevisionConfig:
    repoRef: v1
    graphConfigPath: langgraph.json
  secrets:
    KEY: \${secret:supportAgent_KEY}
  adopt: always
`,
    );
    expect(read("agents", "README.md")).toContain("   pulumi config set --secret supportAgent_KEY\n");
  });

  test("writes a program with its project", async () => {
    const world = await withAgents({ name: "support-agent" }, { name: "owned", secrets: [mark] });
    const { stdout } = await exported(world, { format: "program" });
    expect(stdout).toContain("1 deployment written");
    expect(files()).toEqual(["Pulumi.yaml", "README.md", "index.ts", "package.json", "tsconfig.json"]);
    expect(read("agents", "index.ts").replace(/[0-9a-f-]{36}/g, "<id>")).toBe(
      `import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";

const config = new pulumi.Config();

// Deployment <id>
// It is owned by another Pulumi resource, so it is exported as a comment. To adopt it, use --include-owned.
// const owned = new Deployment("owned", {
//   name: "owned",
//   source: "github",
//   sourceConfig: { repoUrl: "https://git.example.com/a.git" },
//   sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
//   secrets: {},
//   adopt: "always",
// });

// Deployment <id>
const supportAgent = new Deployment("support-agent", {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/a.git" },
  sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
  secrets: { KEY: config.requireSecret("supportAgent_KEY") },
  adopt: "always",
});

/** URLs of the agent servers, by resource name. */
export const urls = { "support-agent": supportAgent.url };
`,
    );
    expect(read("agents", "Pulumi.yaml")).toBe(
      `name: agents\nruntime: nodejs\nconfig:\n  agentserver:baseUrl:\n    value: ${world.plane.baseUrl}/api-host\n  agentserver:tenantId:\n    value: ${world.plane.tenantId}\n`,
    );
  });

  test("writes an import file for pulumi with owner IDs but without secret values", async () => {
    const world = await withAgents({ name: "a" }, { name: "b", secrets: [mark] });
    const { stdout } = await exported(world, { format: "import", includeOwned: true });
    expect(stdout).toContain("Import it only if it is no longer in the state of any other stack");
    expect(files()).toEqual([
      "Pulumi.yaml",
      "README.md",
      "import.json",
      "index.ts",
      "package.json",
      "tsconfig.json",
    ]);
    expect(read("agents", "index.ts")).not.toContain("adopt");
    expect(read("agents", "README.md")).toContain(
      "pulumi import --file import.json --generate-code=false --protect=false --yes\n   pulumi refresh --yes",
    );
    const file = JSON.parse(read("agents", "import.json")) as { resources: ImportedResource[] };
    expect(file.resources.map(({ name }) => name)).toEqual(["a", "b"]);
    for (const { type, inputs, outputs } of file.resources) {
      expect(type).toBe("pulumi-nodejs:dynamic/agentserver:Deployment");
      for (const props of [inputs, outputs])
        expect(props).toMatchObject({
          __provider: 'exports.handler = () => require("pulumi-agentserver/provider").provider;',
          source: "github",
        });
      expect(outputs).toMatchObject({ schemaVersion: 1, controlPlane: { tenantId: "tenant-1" } });
    }
    const [one, other] = file.resources;
    expect(one!.inputs).toMatchObject({ secrets: { KEY: "" } });
    expect(one!.outputs["ownerId"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(other!.outputs["ownerId"]).toBe(ownerId);
    expect(JSON.stringify(file)).not.toContain(canary);
  });

  test("omits deployments of other owners from the import file by default", async () => {
    const world = await withAgents({ name: "a" }, { name: "b", secrets: [mark] });
    const { stdout } = await exported(world, { format: "import" });
    expect(stdout).toContain("pass --include-owned to adopt them");
    const file = JSON.parse(read("agents", "import.json")) as { resources: ImportedResource[] };
    expect(file.resources.map(({ name }) => name)).toEqual(["a"]);
  });

  test("writes an import file with IDs, and a program that uses the plugin's SDK", async () => {
    const world = await withAgents({ name: "a" }, { name: "b", secrets: [mark] });
    await exported(world, { format: "import", provider: "plugin" });
    const { resources } = (await world.request("GET", "/v2/deployments")) as {
      resources: { id: string; name: string }[];
    };
    const { id } = resources.find(({ name }) => name === "a")!;
    expect(JSON.parse(read("agents", "import.json"))).toEqual({
      resources: [{ type: "agentserver:index:Deployment", name: "a", id }],
    });
    expect(read("agents", "index.ts")).toContain('import { Deployment } from "pulumi-agentserver-plugin";');
    expect(JSON.parse(read("agents", "package.json"))).toMatchObject({
      dependencies: { "pulumi-agentserver": "^0.1.0", "pulumi-agentserver-plugin": "^0.1.0" },
    });
    expect(read("agents", "Pulumi.yaml")).toContain("path: node_modules/.bin");
    expect(read("agents", "README.md")).not.toContain("pulumi refresh");
  });

  test("imports deployments of other owners with the plugin if requested, even repeatedly", async () => {
    const world = await withAgents({ name: "a" }, { name: "b", secrets: [mark] });
    const options = { format: "import", provider: "plugin", includeOwned: true } as const;
    const { stdout } = await exported(world, options);
    expect(stdout).toContain("Adopting it transfers ownership from that resource.");
    const file = JSON.parse(read("agents", "import.json")) as { resources: ImportedResource[] };
    expect(file.resources.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(read("agents", "index.ts").match(/name: "\w"|adopt: "always"/g)).toEqual([
      'name: "a"',
      'name: "b"',
      'adopt: "always"',
    ]);
    expect((await exported(world, { ...options, force: true })).code).toBe(0);
  });

  test("rejects --provider plugin without --format import", async () => {
    const world = await withAgents({ name: "a" });
    world.admin.clearJournal();
    const { code, stderr } = await exported(world, { format: "program", provider: "plugin" });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("--provider plugin requires --format import"),
    ]);
    expect(world.admin.journal()).toEqual([]);
  });

  test("overwrites files only with --force and keeps other files", async () => {
    const world = await withAgents({ name: "a" }, { name: "b" });
    mkdirSync(join(folder, "agents"));
    writeFileSync(join(folder, "agents", "a.yaml"), "mine");
    writeFileSync(join(folder, "agents", "notes.txt"), "mine");
    const { code, stderr } = await exported(world);
    expect([code, stderr]).toEqual([1, expect.stringContaining("is not empty, so nothing was written")]);
    expect(read("agents", "a.yaml")).toBe("mine");
    expect((await exported(world, { force: true, name: [/^a$/] })).code).toBe(0);
    expect(files()).toEqual(["README.md", "a.yaml", "notes.txt"]);
    expect(read("agents", "a.yaml")).toContain("name: a\n");
  });

  test("does not overwrite an export if deployments in it would be commented out", async () => {
    const world = await withAgents({ name: "a", secrets: [mark] });
    expect((await exported(world, { includeOwned: true })).code).toBe(0);
    const before = read("agents", "a.yaml");
    const { code, stderr } = await exported(world, { force: true });
    expect([code, stderr]).toEqual([1, expect.stringContaining("the next `pulumi up` would delete them")]);
    expect(read("agents", "a.yaml")).toBe(before);
  });

  test("reports that there is nothing to export", async () => {
    const world = await withAgents({ name: "a" });
    const { code, stderr } = await exported(world, { name: [/^b$/] });
    expect([code, stderr]).toEqual([1, expect.stringContaining("No deployments to export")]);
  });

  describe("with --set-secrets", () => {
    /** Creates a `pulumi` command that records its arguments and input. */
    function pulumi(script = ""): NodeJS.ProcessEnv {
      const bin = join(folder, "bin");
      mkdirSync(bin);
      const noting = `echo "$PWD $*" >> "${folder}/words"; cat >> "${folder}/given"; echo "|" >> "${folder}/given"`;
      writeFileSync(join(bin, "pulumi"), `#!/bin/sh\n${noting}\n${script}\n`, { mode: 0o755 });
      return { PATH: `${bin}:${process.env["PATH"]}` };
    }

    async function run(world: World, options: Partial<ExportOptions>, env: NodeJS.ProcessEnv) {
      const all = {
        provider: "dynamic" as const,
        output: join(folder, "agents"),
        name: [],
        includeOwned: false,
        force: false,
        setSecrets: true,
      };
      const surroundings = new Run(
        world,
        (place) => exportWorkspace(place, { format: "program", ...all, ...options }, "0.1.0"),
        { env },
      );
      const code = await surroundings.ended;
      expect(surroundings.stdout + surroundings.stderr).not.toContain(canary);
      return { code, stdout: surroundings.stdout, stderr: surroundings.stderr };
    }

    test("passes secret values to pulumi on standard input, never as arguments", async () => {
      const world = await withAgents({ name: "a" }, { name: "b" }, { name: "owned", secrets: [mark] });
      const { code, stdout } = await run(world, { stack: "dev" }, pulumi());
      expect([code, stdout]).toEqual([0, expect.stringContaining("2 secrets set in the stack dev.")]);
      const place = `${join(folder, "agents")} `;
      expect(read("words").split("\n")).toEqual([
        `${place}stack select --create --non-interactive --stack=dev`,
        `${place}config set --secret --non-interactive --stack=dev -- a_KEY`,
        `${place}config set --secret --non-interactive --stack=dev -- b_KEY`,
        "",
      ]);
      expect(read("given")).toBe(`|\n${canary}-a\n\n|\n${canary}-b\n\n|\n`);
    });

    test("reports a failure of pulumi without secret values, and keeps the files", async () => {
      const world = await withAgents({ name: "a" });
      const env = pulumi(`echo "error: no passphrase for ${canary}-a" >&2; exit 1`);
      const { code, stderr } = await run(world, { stack: "dev" }, env);
      expect([code, stderr]).toEqual([1, expect.stringContaining("no passphrase for")]);
      expect(files()).toContain("index.ts");
    });

    test("requires a stack", async () => {
      const world = await withAgents({ name: "a" });
      const { code, stderr } = await run(world, {}, {});
      expect([code, stderr]).toEqual([1, expect.stringContaining("--set-secrets requires --stack")]);
    });
  });
});
