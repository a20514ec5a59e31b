import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { EngineRun } from "../../e2e/engine-run";
import { installPolicyPack } from "../../e2e/policy-pack-installed";
import { noProcessOf, processesOf } from "../../e2e/processes";
import { declaring } from "../../e2e/programs";
import type { Stack } from "../../e2e/stack";
import { World } from "../../e2e/world";
import { isLongRun, recordFigures } from "../figures";

jest.setTimeout(isLongRun ? 3_600_000 : 300_000);

let world: World;
let stack: Stack;
let policyPack: string;

beforeAll(async () => {
  world = await World.start();
  world.admin.steer({ pace: "at once" });
  policyPack = await installPolicyPack(world.folder);
  stack = await world.stack("killed");
  stack.program(declaring());
});
afterEach(async () => {
  // Processes of a failed test would otherwise never end.
  for (const { pid } of processesOf(world.folder)) process.kill(pid, "SIGKILL");
  await unlock();
});
afterAll(() => world.end());

/** Steps before any code of the package runs in the provider process. */
const beforeOurCode = [
  "language host: starts",
  "language host: knows its port",
  "policy pack: starts",
  "policy pack: knows its port",
  "program: starts",
  "program: loads pulumi-agentserver",
  "look for the SDK: starts",
  "provider: starts",
  "provider: loads @grpc/grpc-js",
  "provider: loads ../../runtime",
  "provider: knows its port",
];

const moments = [
  ...beforeOurCode,
  "provider: loads pulumi-agentserver/provider",
  "provider: loads zod",
  "provider: has loaded pulumi-agentserver/provider",
];

test.each(moments)("leaves no processes running when the engine is killed at %p", async (moment) => {
  // Processes that an official engine starts are not stopped: see docs/reliability.md.
  if (!hasOurLauncher() && beforeOurCode.includes(moment)) return;
  const folder = join(world.folder, "moment");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  stack.environment("NODE_OPTIONS", `--require ${join(__dirname, "stop-at-moment.cjs")}`);
  stack.environment("STOP_AT", moment);
  stack.environment("STOP_FOLDER", folder);
  const run = moment.startsWith("policy pack") ? startUp("--policy-pack", policyPack) : startUp();
  await run.reaches(() => existsSync(join(folder, "stopped")));

  run.kill();
  await run.ended;
  writeFileSync(join(folder, "go-on"), "");

  await noProcessOf(world.folder);
});

const inLongRun = isLongRun ? test : test.skip;

inLongRun("nothing outlives an engine that is killed at any other time", async () => {
  stack.environment("NODE_OPTIONS", undefined);
  const started = performance.now();
  await startUp().ended;
  const whole = performance.now() - started;

  const kills = 100;
  for (let kill = 0; kill < kills; kill += 1) {
    const run = startUp();
    await pause((kill / kills) * whole);
    run.kill();
    await run.ended;
    await noProcessOf(world.folder);
    await unlock();
  }
  recordFigures("engine-killed", {
    "kills during startup": moments.length,
    "other kills": kills,
    "orphaned processes": 0,
  });
});

function hasOurLauncher(): boolean {
  return existsSync(join(world.engine.binFolder, "dynamic-provider-preload.cjs"));
}

function startUp(...words: string[]): EngineRun {
  return stack.start("up", "--yes", "--skip-preview", ...words);
}

/** Removes the lock that a killed engine leaves behind. */
async function unlock(): Promise<void> {
  await stack.run("cancel", "--yes", "--stack", stack.name);
}
