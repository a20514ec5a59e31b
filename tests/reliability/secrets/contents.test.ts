import { cpSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/repository";
import { canaries, canariesInOutput, filesWithCanaries } from "../../e2e/canaries";
import type { EngineRun } from "../../e2e/engine-run";
import { Stack } from "../../e2e/stack";
import { World } from "../../e2e/world";
import { recordFigures } from "../figures";

/** Flags for the most verbose output of the engine and the SDK. */
const loudest = ["--debug", "--logtostderr", "-v=9"];

let world: World;
let stack: Stack;
const printed: Record<string, string[]> = {};

/** Returns a program that declares the contents of a deployment, with a secret in every field that accepts one. */
const program = (change: string) => `
const key = config.requireSecret("key");
const agent = new Deployment("agent", {
  name: "agent", source: "internal_source", sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" }, environmentVariables: { GREETING: "Hello" },
});
const message = key.apply((text) => [{ role: "user", content: text + " ${change}" }]);
const brief = new Assistant("brief", {
  deployment: agent, graph: "agent", name: "Brief ${change}", description: key, context: { key },
  metadata: { note: key },
});
new Cron("report", {
  deployment: agent, assistant: brief, schedule: "0 9 * * 1-5", input: { messages: message }, metadata: { note: key },
});
new StoreItem("tone", { deployment: agent, namespace: ["a"], key: "tone", value: { key, change: "${change}" } });
new StoreItems("handbook", { deployment: agent, namespace: ["b"], items: { one: { key, change: "${change}" } } });
new Thread("inbox", {
  deployment: agent, graph: "agent", metadata: { note: key, change: "${change}" }, state: { values: { messages: message } },
});
const run = new Run("smoke", { deployment: agent, assistant: brief, input: { messages: message }, triggers: ["${change}", key] });
exports.output = run.output;
exports.context = brief.context;
`;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith", rollout: "real" });
  const { engine, environment: env, folder } = world;
  // The world would report the secrets that the most verbose output contains, so this stack does not belong to it.
  const options = { pulumi: engine.pulumi, env, folder: join(folder, "loud"), onRun: () => {} };
  stack = await Stack.create("loud", program("first"), options);
  cpSync(join(repositoryRoot, "examples", "local-folder", "agent"), join(stack.folder, "agent"), {
    recursive: true,
  });
  await stack.config("key", canaries.modelKey, "--secret");
});
afterAll(() => world?.end());

async function loudly(command: string, ...words: string[]): Promise<EngineRun> {
  const run = await stack.run(command, ...words, ...loudest);
  (printed[command] ??= []).push(run.stdout, run.stderr, ...run.events.map((event) => JSON.stringify(event)));
  return run;
}

test("runs every operation on a program whose resources contain secrets everywhere", async () => {
  expect((await loudly("preview", "--diff")).code).toBe(0);
  expect((await loudly("up", "--yes", "--skip-preview")).code).toBe(0);
  stack.program(program("second"));
  expect((await loudly("preview", "--diff", "--json")).code).toBe(0);
  const detail = `refused: ${canaries.modelKey}`;
  world.admin.fault({
    kind: "status",
    status: 422,
    detail,
    method: "PATCH",
    path: "/agents/:id/runs/crons/:id",
  });
  world.admin.fault({ kind: "status", status: 422, detail, method: "PUT", path: "/agents/:id/store/items" });
  expect((await loudly("up", "--yes", "--diff")).code).not.toBe(0);
  // The engine stops at the first error, so one of the faults remains.
  world.admin.clearFaults();
  expect((await loudly("up", "--yes", "--diff")).code).toBe(0);
  expect((await loudly("refresh", "--yes", "--diff")).code).toBe(0);
  expect((await loudly("preview", "--expect-no-changes")).code).toBe(0);
});

test("does not print or store any secrets", async () => {
  const { stdout } = await stack.run("stack", "export", "--stack", "loud");
  printed["state"] = [stdout];
  const found = canariesInOutput(printed);
  recordFigures("secrets-contents", {
    "outputs searched": Object.keys(printed).length,
    "secrets found": found.length,
  });
  expect(found).toEqual([]);
  expect(filesWithCanaries(world.engineFolder)).toEqual([]);
});
