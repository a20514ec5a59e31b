import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canaries, canariesIn, filesWithCanaries } from "../../e2e/canaries";
import type { EngineRun } from "../../e2e/engine-run";
import { declaring } from "../../e2e/programs";
import type { Stack } from "../../e2e/stack";
import { World } from "../../e2e/world";
import { recordFigures } from "../figures";

jest.setTimeout(240_000);

/** The most that the engine and the SDK can be made to say. */
const loudest = ["--debug", "--logtostderr", "-v=9"];

let world: World;
let stack: Stack;
/** All that was printed or written, by where it stood. */
const told: Record<string, string[]> = {};

function keep(where: string, ...texts: string[]): void {
  (told[where] ??= []).push(...texts);
}

async function loudly(command: string, ...words: string[]): Promise<EngineRun> {
  const run = await stack.run(command, ...words, ...loudest);
  keep("standard output", run.stdout);
  keep("standard error", run.stderr);
  keep("events", ...run.events.map((event) => JSON.stringify(event)));
  return run;
}

/** The whole agent: secrets as a map, and marked values in every place that takes text. */
const program = (ref: string) => `
const key = config.requireSecret("key");
const agent = new Deployment("agent", {
  name: "support-agent",
  source: "github",
  sourceConfig: {
    repoUrl: key.apply((value) => "https://" + encodeURIComponent(value) + "@git.example.com/agents.git"),
    customUrl: key.apply((value) => "https://agent.example.com/" + encodeURIComponent(value)),
    resourceSpec: { labels: { token: key } },
  },
  sourceRevisionConfig: { repoRef: ${JSON.stringify(ref)}, graphConfigPath: "langgraph.json" },
  secrets: { MODEL_KEY: config.requireSecret("modelKey"), GREETING: config.requireSecret("greeting"), KEY: key },
  rollout: { triggers: [key] },
});
exports.url = agent.url;
exports.all = agent.secrets;
`;

beforeAll(async () => {
  world = await World.start({ admin: true });
  world.admin.steer({ pace: "at once" });
  stack = await world.stack("quiet", program("v1"));
  await stack.config("modelKey", canaries.modelKey, "--secret");
  await stack.config("greeting", canaries.greeting, "--secret");
  await stack.config("key", canaries.apiKey, "--secret");
});
afterAll(() => world?.end());

test("every way a rollout can go is walked through at the loudest", async () => {
  expect((await loudly("preview", "--diff")).code).toBe(0);
  expect((await loudly("up", "--yes", "--skip-preview")).code).toBe(0);
  const said = Object.values(canaries).join(" and ");
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
  world.admin.fault({ kind: "status", status: 422, detail: `refused: ${said}`, method: "PATCH" });
  stack.program(program("v3"));
  expect((await loudly("up", "--yes", "--skip-preview")).code).not.toBe(0);
});

test("a provider that crashes says nothing of them", async () => {
  stack.program(`${declaring({ secrets: { A: canaries.modelKey, B: canaries.greeting } })}
process.on("exit", () => process.stderr.write("gone\\n"));
const run = agent.id.apply(() => { throw new Error("the program breaks"); });
exports.run = run;`);
  await stack.config("name", "x");
  expect((await loudly("up", "--yes", "--skip-preview")).code).not.toBe(0);
});

test("the state, its history and the engine's own files hold them in no readable form", async () => {
  const { stdout } = await stack.run("stack", "export", "--stack", "quiet");
  keep("state", stdout);
  expect(filesWithCanaries(world.engineFolder)).toEqual([]);
  const logs = join(world.folder, "quiet");
  mkdirSync(logs, { recursive: true });
  for (const file of readdirSync(logs).filter((name) => name.endsWith(".yaml")))
    keep("configuration", readFileSync(join(logs, file), "utf8"));
});

test("the control plane's journal and page hold them in no readable form", async () => {
  keep("journal", JSON.stringify(world.admin.journal()));
  const { origin } = new URL(world.plane.baseUrl);
  for (const path of ["/", "/page/v2/deployments", "/admin/journal", "/no-such-page"]) {
    const answer = await fetch(origin + path);
    keep("page", await answer.text());
  }
  expect(told["page"]!.join("")).toContain("<html");
});

test("none of it gives a secret away", () => {
  const found = Object.entries(told).flatMap(([where, texts]) =>
    texts
      .flatMap((text) => text.split("\n"))
      .flatMap((line) => canariesIn(line).map((name) => `${where}: ${name} in ${line.slice(0, 40)}`)),
  );
  const characters = Object.values(told)
    .flat()
    .reduce((sum, text) => sum + text.length, 0);
  recordFigures("secrets", {
    "places searched": Object.keys(told).length,
    "secrets searched for": Object.keys(canaries).length,
    "million characters searched": (characters / 1e6).toFixed(1),
    "secrets found": found.length,
  });
  expect(found).toEqual([]);
  expect(existsSync(world.folder)).toBe(true);
});
