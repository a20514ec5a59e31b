import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canaries, canariesInOutput, filesWithCanaries } from "../../e2e/canaries";
import { processesOf } from "../../e2e/processes";
import type { EngineRun } from "../../e2e/engine-run";
import { Stack } from "../../e2e/stack";
import { World } from "../../e2e/world";
import { secretInputs } from "./secret-inputs";

/** Flags for the most verbose output of the engine. The engine writes the output to files in its log folder. */
const loudest = ["--debug", "-v=9"];

let world: World;
let stack: Stack;
let logs: string;
const runs: EngineRun[] = [];
/** All text that was printed or written to files, keyed by location. */
const printed: Record<string, string[]> = {};

function keep(where: string, ...texts: string[]): void {
  (printed[where] ??= []).push(...texts);
}

function keepOutput(run: EngineRun): EngineRun {
  keep("output", run.output);
  keep("events", ...run.events.map((event) => JSON.stringify(event)));
  return run;
}

async function loudly(command: string, ...words: string[]): Promise<EngineRun> {
  return keepOutput(await stack.run(command, ...words, ...loudest));
}

/** Returns a program with secret settings of a provider, and a deployment with secrets in all its string fields. */
const program = (ref: string, change: { settings?: string; inputs?: string } = {}) => `
const key = config.requireSecret("key");
const provider = new pulumi.ProviderResource("agentserver", "own", {
  baseUrl: pulumi.secret(process.env.AGENTSERVER_BASE_URL),
  apiKey: key,
  tenantId: config.requireSecret("tenant"),
  ${change.settings ?? ""}
});
const agent = new pulumi.CustomResource("agentserver:index:Deployment", "agent", {
  ${secretInputs(ref)}
  url: undefined,
  controlPlane: undefined,
  ${change.inputs ?? ""}
}, { provider });
exports.url = agent.url;
exports.place = agent.controlPlane;
`;

beforeAll(async () => {
  world = await World.start({ tenantId: canaries.tenantId });
  world.admin.steer({ pace: "at once" });
  const { engine, environment: env, folder } = world;
  logs = join(folder, "logs");
  mkdirSync(logs);
  // The world would report the secrets that the most verbose output contains, so this stack does not belong to it.
  const onRun = (run: EngineRun) => runs.push(run);
  const options = {
    pulumi: engine.pulumi,
    env: { ...env, TMPDIR: logs },
    folder: join(folder, "plugin"),
    onRun,
  };
  stack = await Stack.create("plugin", program("v1"), options);
  stack.usePlugin();
  await stack.config("key", canaries.apiKey, "--secret");
  await stack.config("tenant", canaries.tenantId, "--secret");
  await stack.config("modelKey", canaries.modelKey, "--secret");
  await stack.config("greeting", canaries.greeting, "--secret");
});
afterAll(async () => {
  for (const run of runs) run.kill();
  await world?.end();
});

test("runs every operation, and every kind of failure, with the most verbose output", async () => {
  expect((await loudly("preview", "--diff")).output).toContain("3 to create");
  expect((await loudly("up", "--yes", "--skip-preview")).code).toBe(0);

  const { rotatedGreeting, ...known } = canaries;
  const said = Object.values(known).join(" and ");
  world.admin.steer({
    pace: "at once",
    verdict: "BUILD_FAILED",
    reason: `no ${said}`,
    logs: [{ message: `Error: ${said}` }],
    times: 1,
  });
  stack.program(program("v2"));
  expect((await loudly("up", "--yes", "--skip-preview")).output).toContain("no [secret]");
  await stack.config("greeting", rotatedGreeting, "--secret");
  expect((await loudly("preview", "--diff", "--json")).code).toBe(0);
  expect((await loudly("up", "--yes", "--diff")).code).toBe(0);
  expect((await loudly("refresh", "--yes", "--diff")).code).toBe(0);

  const refused = { settings: "region: key", inputs: "source: key, adopt: key, unknown: key" };
  stack.program(program("v2", refused));
  const check = await loudly("preview", "--diff");
  for (const part of ["source:", "adopt:", "unknown:", "are both set"]) expect(check.output).toContain(part);
});

test("does not print secrets when the plugin is killed", async () => {
  stack.program(program("v3"));
  world.admin.steer({ pace: "step by step" });
  world.admin.clearJournal();
  const run = stack.start("up", "--yes", "--skip-preview", ...loudest);
  await run.reaches(() => world.admin.journal({ method: "PATCH", path: "/v2/deployments/:id" }).length > 0);
  const [plugin] = processesOf(world.folder).filter(({ command }) =>
    command.includes("pulumi-resource-agentserver"),
  );
  process.kill(plugin!.pid, "SIGABRT");
  await run.ended;
  expect(keepOutput(run).code).not.toBe(0);
});

test("does not store readable secrets in the state, its history, or the engine's files", async () => {
  const { stdout } = await stack.run("stack", "export", "--stack", "plugin");
  expect(stdout).toContain("controlPlane");
  keep("state", stdout);
  expect(filesWithCanaries(world.engineFolder)).toEqual([]);
});

test("does not reveal secrets in any output", () => {
  const files = readdirSync(logs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  keep("log folder", ...files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")));
  expect(printed["log folder"]!.join("")).toContain("agentserver");
  expect(canariesInOutput(printed)).toEqual([]);
});
