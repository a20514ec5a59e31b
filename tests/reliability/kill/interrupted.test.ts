import { join } from "node:path";
import type { EngineRun } from "../../e2e/engine-run";
import { noProcessOf } from "../../e2e/processes";
import { declaring } from "../../e2e/programs";
import type { Stack } from "../../e2e/stack";
import { World } from "../../e2e/world";

let world: World;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.admin.reset());
afterAll(() => world.end());

/** Starts an `up` that waits for a rollout that does not progress. */
async function waiting(name: string): Promise<{ stack: Stack; up: EngineRun }> {
  const stack = await world.stack(name, "");
  stack.program(declaring({ name, rollout: { timeout: "50s" } }));
  world.admin.steer({ pace: "step by step" });
  const up = stack.startUp();
  await up.reaches(() => statusColumn(up, stack).length > 0);
  return { stack, up };
}

/** Returns the messages in the status column of the deployment's row, in order. */
function statusColumn(run: EngineRun, stack: Stack): string[] {
  return run.diagnostics
    .filter(({ urn, ephemeral }) => urn === stack.urn("agent") && ephemeral)
    .map(({ message }) => message.trim());
}

test("shows progress and the limit after one Ctrl-C, and the rollout finishes normally", async () => {
  const { stack, up } = await waiting("once");

  up.interrupt();
  await up.reaches(() => /press \^C again/.test(up.output));
  const before = statusColumn(up, stack).length;
  await world.admin.step("once", undefined, "BUILDING");
  await up.reaches(() => statusColumn(up, stack).length > before);

  expect(statusColumn(up, stack).at(-1)).toMatch(/^BUILDING, limit 50s, poll \d+$/);
  expect(up.isOver).toBe(false);

  world.admin.steer({ pace: "at once" });
  await up.ended;

  expect(up.output).toMatch(/DEPLOYED after \d+s \(CREATING .*\), revision \S+/);
  expect(await stack.state()).toMatchObject({ pendingOperations: [] });
  expect(await stack.resource("agent")).toMatchObject({
    outputs: { settledRevision: { status: "DEPLOYED" } },
  });
  world.writes();

  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(world.writes()).toEqual([]);
});

test("stops the provider when the engine is killed, and the next update creates no duplicates", async () => {
  const { stack, up } = await waiting("killed");

  up.kill();
  await noProcessOf(join(world.folder, "killed"));
  world.admin.steer({ pace: "at once" });
  // The lock of a killed engine is outside the scope of this test.
  await stack.run("cancel", "--yes", "--stack", stack.name);
  const next = await stack.up();

  expect(next).toMatchObject({ code: 0 });
  expect(world.writes().map(({ request }) => request)).toEqual(["POST /v2/deployments"]);
  const [deployment] = await world.deployments();
  expect(await world.revisions(deployment!.id)).toEqual(["DEPLOYED"]);
  expect(await stack.resource("agent")).toMatchObject({ id: deployment!.id });
});
