import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { processesOf } from "../../e2e/processes";
import { canaries, canariesInOutput, filesWithCanaries } from "../../e2e/canaries";
import type { EngineRun } from "../../e2e/engine-run";
import { Stack } from "../../e2e/stack";
import { World } from "../../e2e/world";
import { secretInputs } from "./secret-inputs";
import { recordFigures } from "../figures";

/** Flags for the most verbose output of the engine and the SDK. */
const loudest = ["--debug", "--logtostderr", "-v=9"];

let world: World;
let stack: Stack;
const runs: EngineRun[] = [];
/** All text that was printed or written to files, keyed by location. */
const printed: Record<string, string[]> = {};

function keep(where: string, ...texts: string[]): void {
  (printed[where] ??= []).push(...texts);
}

async function loudly(command: string, ...words: string[]): Promise<EngineRun> {
  const run = await stack.run(command, ...words, ...loudest);
  keep("standard output", run.stdout);
  keep("standard error", run.stderr);
  keep("events", ...run.events.map((event) => JSON.stringify(event)));
  return run;
}

/**
 * Returns a program that declares an agent with all inputs: a map of secrets, and secret values in all string fields.
 */
const program = (ref: string) => `
const key = config.requireSecret("key");
const agent = new Deployment("agent", {
  ${secretInputs(ref)}
});
exports.url = agent.url;
exports.all = agent.secrets;
`;

beforeAll(async () => {
  world = await World.start({ admin: true });
  world.admin.steer({ pace: "at once" });
  const { engine, environment: env, folder } = world;
  // The world would report the secrets that the most verbose output contains, so this stack does not belong to it.
  const onRun = (run: EngineRun) => runs.push(run);
  stack = await Stack.create("loud", program("v1"), {
    pulumi: engine.pulumi,
    env,
    folder: join(folder, "loud"),
    onRun,
  });
  await stack.config("modelKey", canaries.modelKey, "--secret");
  await stack.config("greeting", canaries.greeting, "--secret");
  await stack.config("key", canaries.apiKey, "--secret");
});
afterAll(async () => {
  for (const run of runs) run.kill();
  await world?.end();
});

test("runs every kind of rollout with the most verbose output", async () => {
  expect((await loudly("preview", "--diff")).code).toBe(0);
  expect((await loudly("up", "--yes", "--skip-preview")).code).toBe(0);
  const said = [canaries.apiKey, canaries.modelKey, canaries.greeting].join(" and ");
  world.admin.steer({
    verdict: "BUILD_FAILED",
    reason: `no ${said}`,
    logs: [{ message: `Error: ${said}` }],
    times: 1,
  });
  stack.program(program("v2"));
  expect((await loudly("up", "--yes", "--skip-preview")).code).not.toBe(0);
  await stack.config("greeting", canaries.rotatedGreeting, "--secret");
  expect((await loudly("preview", "--diff", "--json")).code).toBe(0);
  expect((await loudly("up", "--yes", "--diff")).code).toBe(0);
  expect((await loudly("refresh", "--yes", "--diff")).code).toBe(0);
  const detail = `refused: ${said.replace(canaries.greeting, canaries.rotatedGreeting)}`;
  world.admin.fault({ kind: "status", status: 422, detail, method: "PATCH" });
  stack.program(program("v3"));
  expect((await loudly("up", "--yes", "--skip-preview")).code).not.toBe(0);
});

test("does not print secrets when the provider crashes or a program throws", async () => {
  stack.program(`${program("v4")}
exports.broken = agent.id.apply(() => { throw new Error("the program breaks"); });`);
  const run = stack.start("up", "--yes", "--skip-preview", ...loudest);
  world.admin.steer({ pace: "step by step" });
  await run.reaches(() => run.output.includes("CREATING, limit"));
  const [provider] = processesOf(world.folder).filter(({ command }) => command.includes("dynamic-provider"));
  process.kill(provider!.pid, "SIGABRT");
  await run.ended;
  expect(run.code).not.toBe(0);
  keep("crash output", run.output, ...run.events.map((event) => JSON.stringify(event)));
});

test("does not store readable secrets in the state, its history, or the engine's files", async () => {
  const { stdout } = await stack.run("stack", "export", "--stack", "loud");
  keep("state", stdout);
  expect(filesWithCanaries(world.engineFolder)).toEqual([]);
  const logs = join(world.folder, "loud");
  mkdirSync(logs, { recursive: true });
  for (const file of readdirSync(logs).filter((name) => name.endsWith(".yaml")))
    keep("configuration", readFileSync(join(logs, file), "utf8"));
});

test("does not expose readable secrets in the control plane's journal and web console", async () => {
  keep("journal", JSON.stringify(world.admin.journal()));
  const { origin } = new URL(world.plane.baseUrl);
  const headers = { "X-Api-Key": world.plane.apiKey, "X-Tenant-Id": world.plane.tenantId };
  const [deployment] = await world.deployments();
  const one = `/page/v2/deployments/${deployment!.id}`;
  const revisions = `${one}/revisions`;
  const logs = `${revisions}/${deployment!.latest_revision_id}/logs`;
  for (const path of ["/", "/page/v2/deployments", one, revisions, logs, "/admin/journal", "/no-such-page"]) {
    const answer = await fetch(origin + path, { headers });
    keep("page", await answer.text());
  }
  const shown = printed["page"]!.join("");
  for (const part of ["<html", deployment!.id, "MODEL_KEY"]) expect(shown).toContain(part);
});

test("does not reveal secrets in any output", () => {
  const found = canariesInOutput(printed);
  const characters = Object.values(printed)
    .flat()
    .reduce((sum, text) => sum + text.length, 0);
  recordFigures("secrets", {
    "outputs searched": Object.keys(printed).length,
    "secrets searched for": Object.keys(canaries).length,
    "characters searched, millions": (characters / 1e6).toFixed(1),
    "secrets found": found.length,
  });
  expect(found).toEqual([]);
  expect(existsSync(world.folder)).toBe(true);
});
