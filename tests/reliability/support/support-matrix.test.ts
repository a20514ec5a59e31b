import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ensureBuilt } from "../../../tools/build/ensure-built";
import { run } from "../../../tools/process";
import { packInto } from "../../../tools/quickstart/packed";
import { agentArgs, declaring } from "../../e2e/programs";
import type { Stack } from "../../e2e/stack";
import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";
import { nodeFolder } from "./node-release";
import { compilerPackages, nodes, sdks } from "./supported";

const ends: [sdk: string, node: string][] = [
  [sdks.oldest, nodes.oldest],
  [sdks.newest, nodes.newest24],
];
const between: [sdk: string, node: string][] = [
  [sdks.oldest, nodes.newest22],
  [sdks.oldest, nodes.newest24],
  [sdks.newest, nodes.oldest],
  [sdks.newest, nodes.newest22],
];

const tried = isLongRun ? [...ends, ...between] : ends;

let world: World;
let tarball: string;
/** Combinations of versions that passed all tests. */
const lived: string[] = [];
const projects = new Map<string, Promise<string>>();

beforeAll(async () => {
  world = await World.start({ package: "none" });
  world.admin.steer({ pace: "at once" });
  await ensureBuilt();
  tarball = await packInto(world.folder);
});

afterAll(() => world.end());

describe.each(tried)("SDK %s on Node.js %s", (sdk, node) => {
  let folder: string;
  let recordFile: string;
  let stack: Stack;

  beforeAll(async () => {
    const project = await projectWith(sdk);
    const name = `sdk-${sdk}-node-${node}`.replaceAll(".", "-");
    folder = join(project, name);
    recordFile = join(folder, "processes.jsonl");
    stack = await world.stack(name, "", folder);
    stack.environment("PATH", [await nodeFolder(node), world.environment["PATH"]].join(delimiter));
    stack.environment("NODE_OPTIONS", `--require ${join(__dirname, "record-node.cjs")}`);
    stack.environment("RECORD_FILE", recordFile);
  });

  test("deploys with up, and looks up the deployment", async () => {
    stack.program(
      `${declaring()}
exports.sdk = require("@pulumi/pulumi/package.json").version;
exports.seen = Deployment.get("seen", agent.id).settledRevision.apply((settled) => settled && settled.status);
exports.found = agent.id.apply((id) => getDeployment({ id })).name;`,
    );

    const up = await stack.up();

    expect(up).toMatchObject({ code: 0, changes: { create: 2 } });
    const [root] = (await stack.state()).resources;
    expect(root!.outputs).toMatchObject({ sdk, found: "support-agent" });
    const [deployment] = await world.deployments();
    expect(await stack.resource("agent")).toMatchObject({
      id: deployment!.id,
      outputs: { settledRevision: { status: "DEPLOYED" } },
    });
  });

  test("runs the program and the provider on that version of Node.js", () => {
    const lines = readFileSync(recordFile, "utf8").trim().split("\n");
    const processes = lines.map((line) => JSON.parse(line) as { version: string; runs: string });

    expect(new Set(processes.map(({ version }) => version))).toEqual(new Set([node]));
    for (const part of ["pulumi-language-nodejs", "cmd/run/", "cmd/dynamic-provider/"])
      expect(processes.filter(({ runs }) => runs.includes(part))).not.toEqual([]);
  });

  test("finds no changes in a preview and a refresh of an unchanged program", async () => {
    expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
  });

  test("creates one revision for a change", async () => {
    world.writes();
    stack.program(declaring({ sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" } }));

    expect(await stack.up()).toMatchObject({ code: 0, changes: { update: 1 } });

    const [deployment] = await world.deployments();
    expect(world.writes().map(({ request }) => request)).toEqual([`PATCH /v2/deployments/${deployment!.id}`]);
    expect(await world.revisions(deployment!.id)).toEqual(["DEPLOYED", "DEPLOYED"]);
  });

  test("shows a failed build, and keeps the deployment", async () => {
    world.admin.steer({ pace: "at once", verdict: "BUILD_FAILED", reason: "no such ref" });
    stack.program(declaring({ sourceRevisionConfig: { repoRef: "v3", graphConfigPath: "langgraph.json" } }));

    const up = await stack.up();
    world.admin.steer({ pace: "at once" });

    expect(up.code).not.toBe(0);
    expect(up.output).toContain("no such ref");
    const { initErrors } = (await stack.resource("agent"))!;
    expect(initErrors![0]).toContain("failed during the build (BUILD_FAILED");
  });

  test("leaves nothing behind after destroy", async () => {
    expect(await stack.destroy()).toMatchObject({ code: 0 });

    expect(await world.deployments()).toEqual([]);
    lived.push(`${sdk} on ${node}`);
  });
});

test("completes the lifecycle in every combination of SDK and Node.js", () => {
  recordFigures("support-matrix", {
    SDKs: Object.values(sdks).join(", "),
    "Node versions": Object.values(nodes).join(", "),
    combinations: lived.length,
  });
  expect(lived).toHaveLength(tried.length);
});

test.each(Object.values(sdks))("compiles a strict program against SDK %s", async (sdk) => {
  const folder = join(await projectWith(sdk), "compiled");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "index.ts"),
    `import * as pulumi from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs } from "pulumi-agentserver";
const args: DeploymentArgs = ${JSON.stringify(agentArgs())};
const agent = new Deployment("agent", args, { protect: true });
export const url: pulumi.Output<string | undefined> = agent.url;
`,
  );
  const options = ["--strict", "--noEmit", "--module", "node16", "--target", "es2022", "--types", "node"];

  const checked = await run("npx", ["--no-install", "tsc", ...options, "index.ts"], { cwd: folder });

  expect(checked).toMatchObject({ code: 0, stdout: "" });
});

/** Returns a folder in which the package and this SDK are installed. All tests of the SDK share it. */
function projectWith(sdk: string): Promise<string> {
  const project = projects.get(sdk) ?? install(sdk);
  projects.set(sdk, project);
  return project;
}

async function install(sdk: string): Promise<string> {
  const folder = join(world.folder, `sdk-${sdk}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { code, stderr } = await run(
    "npm",
    ["install", ...options, tarball, `@pulumi/pulumi@${sdk}`, ...compilerPackages],
    { cwd: folder },
  );
  if (code !== 0) throw new Error(`npm install failed:\n${stderr}`);
  return folder;
}
