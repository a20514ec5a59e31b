import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { list } from "tar";
import { readJson } from "../json";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { run } from "../../tools/process";
import { packInto } from "../../tools/quickstart/packed";
import { repositoryRoot } from "../../tools/repository";
import { agentArgs } from "./programs";
import type { Stack } from "./stack";
import { World } from "./world";

const manifest = readJson<{ version: string; devDependencies: Record<string, string> }>(
  readFileSync(join(repositoryRoot, "package.json"), "utf8"),
);

let world: World;
let tarball: string;
let stack: Stack;

/** Runs a command in the folder of the project. */
const inProject = (command: string, ...words: string[]) =>
  run(command, words, { cwd: join(world.folder, "consumer"), env: world.environment });

/** Runs a command that is installed in the project. */
const installed = (name: string, ...words: string[]) => inProject(`./node_modules/.bin/${name}`, ...words);

beforeAll(async () => {
  world = await World.start({ package: "none" });
  world.admin.steer({ pace: "at once" });
  await ensureBuilt();
  mkdirSync(join(world.folder, "tarball"));
  tarball = await packInto(join(world.folder, "tarball"));
  stack = await world.stack("consumer");
  const { "@pulumi/pulumi": pulumi, "@types/node": types, typescript } = manifest.devDependencies;
  const wanted = [tarball, `@pulumi/pulumi@${pulumi}`, `@types/node@${types}`, `typescript@${typescript}`];
  const installation = await inProject(
    "npm",
    "install",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    ...wanted,
  );
  if (installation.code !== 0) throw new Error(`npm install failed:\n${installation.stderr}`);
});

afterAll(() => world.end());

test("contains only the schemas and the compiled code of the SDK, the provider, and the CLI", async () => {
  const files: string[] = [];
  await list({ file: tarball, onReadEntry: ({ path }) => void files.push(path.replace(/^package\//, "")) });

  const top = files.map((file) => /^(dist\/[^/]+|[^/]+)/.exec(file)![0]);
  expect([...new Set(top)].sort()).toEqual(
    [
      "LICENSE",
      "README.md",
      "dist/cli",
      "dist/provider",
      "dist/sdk",
      "dist/wire",
      "package.json",
      "schemas",
    ].sort(),
  );
  expect(files.filter((file) => file.startsWith("dist/") && !/\.(js|d\.ts)$/.test(file))).toEqual([]);
  for (const file of [
    "dist/sdk/index.js",
    "dist/sdk/index.d.ts",
    "dist/provider/index.js",
    "dist/cli/main.js",
    "schemas/assistant-manifest.schema.json",
    "schemas/cron-manifest.schema.json",
    "schemas/deployment-manifest.schema.json",
    "schemas/deployment-overlay.schema.json",
  ])
    expect(files).toContain(file);
});

test("does not install any part of the local control plane", async () => {
  const { stdout } = await inProject("npm", "ls", "--all", "--parseable");

  const packages = stdout.split("\n").map((path) => path.split("node_modules/").at(-1));
  expect(packages).toEqual(expect.arrayContaining(["pulumi-agentserver", "axios", "zod", "commander"]));
  expect(packages.filter((name) => /emulator|langchain|^hono|simple-git/.test(name!))).toEqual([]);
});

const program = `
import * as pulumi from "@pulumi/pulumi";
import {
  AgentServerError,
  Deployment,
  getDeployment,
  type DeploymentArgs,
  type ErrorCode,
  type ErrorFacts,
  type GetDeploymentResult,
} from "pulumi-agentserver";

const args: DeploymentArgs = ${JSON.stringify(agentArgs({ secrets: { MODEL: "some model" }, rollout: { triggers: [1, "two"] } }))};
const agent = new Deployment("agent", args, { protect: false });
export const url: pulumi.Output<string | undefined> = agent.url;
export const status: pulumi.Output<string | undefined> = agent.settledRevision.apply((settled) => settled?.status);
export const found: pulumi.Output<GetDeploymentResult> = agent.id.apply((id) => getDeployment({ id }));
const facts = (error: AgentServerError): ErrorFacts => error.facts;
const codeOf = (error: unknown): ErrorCode | "another" => (AgentServerError.is(error) ? error.code : "another");
export const missing = getDeployment({ name: "missing" }).then(() => "found", codeOf);
export const withoutId = getDeployment({ id: "00000000-0000-4000-8000-000000000000" }).then(() => "found", facts);
`;

test("compiles a strict TypeScript program, and type-checks the package's declarations", async () => {
  stack.typescript(program, { skipLibCheck: false });

  const checked = await installed("tsc", "--noEmit", "--pretty", "false");

  expect(checked).toMatchObject({ code: 0, stdout: "" });
});

test("reports mistakes in the arguments as type errors", async () => {
  stack.typescript(`
import { Deployment } from "pulumi-agentserver";
new Deployment("a", { name: "a", source: "github", sourceConfig: { repoURL: "x" }, sourceRevisionConfig: {} });
new Deployment("b", { source: "github", sourceConfig: {}, sourceRevisionConfig: {} });
new Deployment("c", { name: "c", source: "github", sourceConfig: {}, sourceRevisionConfig: {}, adopt: "perhaps" });
`);

  const checked = await installed("tsc", "--noEmit", "--pretty", "false");

  expect(checked.stdout.match(/^index\.ts\(\d+/gm)).toEqual(["index.ts(3", "index.ts(4", "index.ts(5"]);
});

test("deploys with the real engine and the installed package", async () => {
  stack.typescript(program);

  expect(await stack.preview()).toMatchObject({ code: 0, changes: { create: 2 } });
  const up = await stack.up();

  expect(up).toMatchObject({ code: 0, changes: { create: 2 } });
  expect(up.output).toMatch(/status +: "DEPLOYED"/);
  expect(up.output).toMatch(/missing +: "deployment_gone"/);
  expect(up.output).toMatch(/withoutId: \{\s+deploymentId: "00000000-/);
});

test("starts a program without loading the HTTP client, the schemas, or the YAML parser", async () => {
  const script = `
    require("pulumi-agentserver");
    console.log(JSON.stringify(Object.keys(require.cache)));
  `;
  const { stdout } = await inProject(process.execPath, "--eval", script);

  const loaded = (JSON.parse(stdout) as string[]).map((path) => path.split("/node_modules/").at(-1)!);
  expect(loaded).toContain("pulumi-agentserver/dist/provider/errors.js");
  expect(loaded.filter((path) => /^(axios|zod|yaml)\//.test(path))).toEqual([]);
});

test("explains how to install the local control plane that agentserver emulate requires", async () => {
  const emulate = await installed("agentserver", "emulate");

  expect(emulate).toMatchObject({
    code: 1,
    stdout: "",
    stderr:
      "agentserver: The local control plane is a separate package. Install it with `npm install agentserver-emulator`.\n",
  });
});

test("prints its version", async () => {
  const { stdout } = await installed("agentserver", "--version");

  expect(stdout).toBe(`${manifest.version}\n`);
});
