import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentFiles, answeringGraph } from "../emulator/rollout/agents";
import { Repository } from "../emulator/rollout/repository";
import type { EngineRun } from "./engine-run";
import type { Stack } from "./stack";
import { World } from "./world";

/** Maximum time in milliseconds until a wait ends after the first Ctrl-C. */
const maxCancelMs = 2_000;

let world: World;
let stack: Stack;
/** File to which the agent appends every message that it receives. */
let heard: string;
/** File that the agent waits for before it responds to the `slow` message. */
let released: string;

beforeAll(async () => {
  world = await World.start({ rollout: "real" });
  heard = join(world.folder, "heard.txt");
  released = join(world.folder, "released");
  stack = await world.stack("canceled");
  stack.usePlugin();
});
afterEach(() => rmSync(released, { force: true }));
afterAll(() => world?.end());

const question = (content: string) => ({ messages: [{ role: "user", content }] });

/** Declares a deployment of a new repository, with checks of its revisions. */
function declare(name: string, verify: object): void {
  const repository = new Repository(
    agentFiles(
      answeringGraph(
        `const fs = await import("node:fs");
         fs.appendFileSync(${JSON.stringify(heard)}, said + "\\n");
         while (said.startsWith("slow") && !fs.existsSync(${JSON.stringify(released)}))
           await new Promise((resolve) => setTimeout(resolve, 50));
         return \`heard \${said}\`;`,
      ),
    ),
  );
  const args = {
    name,
    source: "github",
    sourceConfig: { repoUrl: repository.folder, deploymentType: "dev", buildOnPush: false },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
    rollout: { verify: { graph: "agent", ...verify } },
  };
  stack.program(`
class Agent extends pulumi.CustomResource {
  constructor(name, args) {
    super("agentserver:index:Deployment", name, { verified: undefined, ...args });
  }
}
new Agent(${JSON.stringify(name)}, ${JSON.stringify(args)});
`);
}

/** Returns the messages that the agent has received. */
const messages = () => (existsSync(heard) ? readFileSync(heard, "utf8").trim().split("\n") : []);

/** Presses Ctrl-C once, and returns the time until the engine has exited. */
async function interrupt(run: EngineRun): Promise<number> {
  const start = Date.now();
  run.interrupt();
  await run.ended;
  return Date.now() - start;
}

/** Checks the result of an interrupted `pulumi up`. */
async function expectResumable(name: string, run: EngineRun): Promise<void> {
  expect(run.code).not.toBe(0);
  expect(run.output).toContain("run the same command again to resume it");
  const { pendingOperations, resources } = await stack.state();
  expect(pendingOperations).toEqual([]);
  const [deployment] = (await world.deployments()).filter((one) => one.name === name);
  expect(resources.find(({ urn }) => urn.endsWith(`::${name}`))).toMatchObject({
    id: deployment!.id,
    outputs: { awaitedRevision: { id: deployment!.latest_revision_id } },
  });
}

/**
 * Lets the agent respond, and resumes an interrupted update. The resumed update must not change the deployment or leave
 * threads behind.
 */
async function resume(name: string): Promise<void> {
  world.writes();
  writeFileSync(released, "");
  const { code, output } = await stack.up();
  expect(code === 0 ? "" : output).toBe("");
  const { id, outputs } = (await stack.resource(name))!;
  const writes = world.writes(true).map(({ request }) => request);
  expect(writes.filter((request) => request.includes(`/v2/deployments/${id}`))).toEqual([]);
  expect(writes).not.toContain("POST /v2/deployments");
  expect(outputs).not.toHaveProperty("awaitedRevision");
  const threads = await fetch(`${String(outputs!["url"])}/threads/search`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Api-Key": world.plane.apiKey },
    body: "{}",
  });
  expect(await threads.json()).toEqual([]);
}

test("stops an evaluation at the first Ctrl-C, and repeats no completed cases when it resumes", async () => {
  const cases = ["first", "slow", "last"].map((said) => ({ input: question(said), expect: `heard ${said}` }));
  declare("evaluated", { evaluation: { cases, concurrency: 1 } });
  const run = stack.startUp();
  await run.reaches(() => messages().includes("slow"));
  const took = await interrupt(run);
  await expectResumable("evaluated", run);
  expect(messages()).toEqual(["first", "slow"]);
  expect(took).toBeLessThan(maxCancelMs);

  await resume("evaluated");
  expect(messages()).toEqual(["first", "slow", "last"]);
});

test("stops a verification at the first Ctrl-C, and resumes it without another revision", async () => {
  declare("verified", { run: { input: question("slow run"), expect: "heard slow run" } });
  const run = stack.startUp();
  await run.reaches(() => messages().includes("slow run"));
  const took = await interrupt(run);
  await expectResumable("verified", run);
  expect(took).toBeLessThan(maxCancelMs);
  await resume("verified");
});
