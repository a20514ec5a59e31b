import type { EngineRun } from "./engine-run";
import { declaring } from "./programs";
import type { Stack } from "./stack";
import { World } from "./world";

let world: World;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.admin.reset());
afterAll(() => world.end());

interface Declared {
  name: string;
  repoRef?: string;
  timeout?: string;
}

function declare(stack: Stack, { name, repoRef = "v1", timeout = "30s" }: Declared): void {
  const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
  stack.program(declaring({ name, sourceRevisionConfig, rollout: { timeout } }));
}

/** Creates a stack whose deployment has the same name as the stack. */
async function stackFor(name: string, change: Partial<Declared> = {}): Promise<Stack> {
  const stack = await world.stack(name);
  declare(stack, { name, ...change });
  return stack;
}

/** Returns the messages in the status column of the deployment's row, in order. */
function statusColumn(run: EngineRun, stack: Stack): string[] {
  return run.diagnostics
    .filter(({ urn, ephemeral }) => urn === stack.urn("agent") && ephemeral)
    .map(({ message }) => message.trim());
}

/** True if the provider has requested the state of the revision, which means that the wait has started. */
const waits = (): boolean =>
  world.admin.journal({ method: "GET", path: "/v2/deployments/:id/revisions/:revision" }).length > 0;

/** Sends Ctrl-C twice, as the engine requires, and waits until the engine has exited. */
async function interruptTwice(run: EngineRun): Promise<void> {
  run.interrupt();
  await run.reaches(() => /press \^C again/.test(run.output));
  run.interrupt();
  await run.ended;
}

test("shows each status of the rollout in the deployment's row", async () => {
  const stack = await stackFor("progress");
  world.admin.steer({ pace: "step by step", statuses: ["BUILDING", "DEPLOYING", "DEPLOYED"] });

  const up = stack.startUp();
  for (const status of ["BUILDING", "DEPLOYING"]) {
    await up.reaches(waits);
    await world.admin.step("progress");
    await up.reaches(() => statusColumn(up, stack).some((line) => line.includes(status)));
  }
  await world.admin.step("progress");
  await up.ended;

  expect(up).toMatchObject({ code: 0, changes: { create: 2 } });
  const [revisionId] = (await world.deployments()).map(({ latest_revision_id }) => latest_revision_id);
  const column = statusColumn(up, stack);
  expect(up.output).toMatch(new RegExp(`DEPLOYED after \\d+s \\(CREATING .*\\), revision ${revisionId}`));
  expect(column[0]).toMatch(/^CREATING, limit 30s, poll 1$/);
  expect([...new Set(column.map((line) => line.split(",")[0]))]).toEqual([
    "CREATING",
    "BUILDING",
    "DEPLOYING",
  ]);
});

test("shows the server's reason and the end of its log for a failed build", async () => {
  const stack = await stackFor("fails");
  world.admin.steer({
    pace: "at once",
    verdict: "BUILD_FAILED",
    reason: "no matching version of left-pad",
    logs: [{ message: "resolving left-pad@99" }],
  });

  const up = await stack.up();

  expect(up.code).not.toBe(0);
  expect(up.output).toMatch(
    /failed during the build \(BUILD_FAILED, after \d+s\): no matching version of left-pad/,
  );
  expect(up.output).toContain("resolving left-pad@99");
  expect(up.output).toContain("No revision of this deployment is serving requests.");
  expect(up.output).toContain("1 error occurred:");
});

test("keeps the resource after a timeout; the next update finds it deployed and writes nothing", async () => {
  const stack = await stackFor("slow", { timeout: "3s" });
  world.admin.steer({ pace: "step by step" });

  const late = await stack.up();

  expect(late.code).not.toBe(0);
  expect(late.output).toMatch(/is still CREATING after \d+s, the limit of rollout.timeout \(3s/);
  const [deployment] = await world.deployments();
  expect(await stack.resource("agent")).toMatchObject({
    id: deployment!.id,
    initErrors: [
      expect.stringMatching(
        /^Revision \S+ of deployment "slow" is still CREATING .*\n.*Run `pulumi up` again.*\n.*`npx agentserver logs slow --revision \S+ --stack \S+`\.$/,
      ),
    ],
    outputs: { latestRevisionId: deployment!.latest_revision_id },
  });

  await world.admin.setStatus("slow", undefined, "DEPLOYED");
  world.writes();
  const again = await stack.up();

  expect(again).toMatchObject({ code: 0, changes: { same: 1, update: 1 } });
  expect(world.writes()).toEqual([]);
  const resource = await stack.resource("agent");
  expect(resource).toMatchObject({
    outputs: { settledRevision: { id: deployment!.latest_revision_id, status: "DEPLOYED" } },
  });
  expect(resource!.initErrors).toBeUndefined();
});

test("resumes a create after Ctrl-C with one request, one deployment, and one revision", async () => {
  const stack = await stackFor("left-creating");
  world.admin.steer({ pace: "step by step" });
  const left = stack.startUp();
  await left.reaches(waits);

  await interruptTwice(left);

  expect(left.code).not.toBe(0);
  expect((await stack.state()).pendingOperations).toMatchObject([
    { type: "creating", resource: { urn: stack.urn("agent") } },
  ]);
  expect(await stack.resource("agent")).toBeUndefined();

  const [deployment] = await world.deployments();
  world.admin.steer({ pace: "at once" });
  const resumed = await stack.up();

  expect(resumed).toMatchObject({ code: 0, changes: { create: 1, same: 1 } });
  expect(resumed.output).toContain(`(${deployment!.id}) has the ownership tag of this resource`);
  expect(world.writes().map(({ request }) => request)).toEqual(["POST /v2/deployments"]);
  expect((await world.deployments()).map(({ id }) => id)).toEqual([deployment!.id]);
  expect(await world.revisions(deployment!.id)).toEqual(["DEPLOYED"]);

  // The engine keeps the pending operation of the interrupted create until a refresh clears it.
  const refresh = await stack.run("refresh", "--yes", "--skip-preview", "--clear-pending-creates");

  expect(refresh).toMatchObject({ code: 0 });
  expect((await stack.state()).pendingOperations).toEqual([]);
  expect(await stack.resource("agent")).toMatchObject({ id: deployment!.id });
});

test("resumes an update after Ctrl-C with one request and one revision", async () => {
  const stack = await stackFor("left-updating");
  world.admin.steer({ pace: "at once" });
  expect(await stack.up()).toMatchObject({ code: 0 });
  const [deployment] = await world.deployments();
  world.writes();

  declare(stack, { name: "left-updating", repoRef: "v2" });
  world.admin.steer({ pace: "step by step" });
  const left = stack.startUp();
  await left.reaches(waits);
  await interruptTwice(left);

  expect(left.code).not.toBe(0);
  expect((await stack.state()).pendingOperations).toMatchObject([
    { type: "updating", resource: { urn: stack.urn("agent") } },
  ]);

  world.admin.steer({ pace: "at once" });
  const resumed = await stack.up();

  expect(resumed).toMatchObject({ code: 0, changes: { same: 1, update: 1 } });
  expect(world.writes()).toMatchObject([
    { request: `PATCH /v2/deployments/${deployment!.id}`, keys: ["source_revision_config"] },
  ]);
  expect(await world.revisions(deployment!.id)).toEqual(["DEPLOYED", "DEPLOYED"]);
  expect(await stack.state()).toMatchObject({
    pendingOperations: [],
    resources: expect.arrayContaining([
      expect.objectContaining({
        urn: stack.urn("agent"),
        outputs: expect.objectContaining({
          settledRevision: expect.objectContaining({ status: "DEPLOYED" }),
          sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" },
        }),
      }),
    ]),
  });
});
