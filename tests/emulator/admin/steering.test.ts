import type { Deployment, Resources, Revision } from "../answers";
import type { SteeringPlan } from "../../../emulator/index";
import { creation, type Rig, start, stopAll } from "../control-plane/client";

afterEach(stopAll);

const minutes = 60_000;
const ordinary = ["AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"];

/** Creates a deployment whose first rollout follows the plans. */
async function rig(...plans: SteeringPlan[]): Promise<Rig & { read: () => Promise<Revision>; path: string }> {
  const base = await start();
  for (const plan of plans) base.plane.admin.steer(plan);
  const { id, latest_revision_id } = (
    await base.client.post<Deployment>("/v2/deployments", creation("agent"))
  ).body;
  const path = `/v2/deployments/${id}`;
  return {
    ...base,
    path,
    read: async () => (await base.client.get<Revision>(`${path}/revisions/${latest_revision_id}`)).body,
  };
}

/** Returns all statuses in the order in which a polling client observes them. */
async function poll({ clock, read }: Awaited<ReturnType<typeof rig>>, everyMs: number): Promise<string[]> {
  const seen = [(await read()).status];
  while (!/DEPLOYED|FAILED|SKIPPED/.test(seen.at(-1)!) && seen.length < 200) {
    await clock.advancingSleep(everyMs);
    seen.push((await read()).status);
  }
  return [...new Set(seen)];
}

test("stays at each status for one second if nothing controls the rollout", async () => {
  const all = await rig();
  const start = all.clock.now();
  expect(await poll(all, 1000)).toEqual(["CREATING", ...ordinary, "DEPLOYED"]);
  expect(all.clock.now() - start).toBe(5000);
});

test("completes a rollout immediately", async () => {
  const all = await rig({ pace: "at once" });
  expect((await all.read()).status).toBe("DEPLOYED");
});

test("completes a rollout after half an hour of virtual time", async () => {
  const all = await rig({ pace: { afterSeconds: 1800 } });
  await all.clock.advance(30 * minutes - 1);
  expect((await all.read()).status).toBe("DEPLOYING");
  await all.clock.advance(1);
  expect((await all.read()).status).toBe("DEPLOYED");
});

test("reports each status to a client that polls once per minute", async () => {
  const all = await rig({ pace: { afterSeconds: 1800 } });
  const start = all.clock.now();
  expect(await poll(all, minutes)).toEqual(["CREATING", ...ordinary, "DEPLOYED"]);
  expect(all.clock.now() - start).toBe(30 * minutes);
});

test("advances after a specified number of reads, regardless of the elapsed time", async () => {
  const all = await rig({ pace: { afterReads: 10 } });
  await all.clock.advance(60 * minutes);
  const seen: string[] = [];
  for (let read = 0; read < 11; read++) seen.push((await all.read()).status);
  expect(seen).toEqual([
    "CREATING",
    "CREATING",
    "AWAITING_BUILD",
    "AWAITING_BUILD",
    "BUILDING",
    "BUILDING",
    "AWAITING_DEPLOY",
    "AWAITING_DEPLOY",
    "DEPLOYING",
    "DEPLOYING",
    "DEPLOYED",
  ]);
});

test("advances one step at a time", async () => {
  const all = await rig({ pace: "step by step" });
  const { admin } = all.plane;
  await all.clock.advance(60 * minutes);
  expect((await all.read()).status).toBe("CREATING");
  for (const status of [...ordinary, "DEPLOYED"]) {
    expect(await admin.step("agent")).toBe(status);
    expect((await all.read()).status).toBe(status);
  }
  await expect(admin.step("agent")).rejects.toThrow("is not rolling out: it is DEPLOYED");
});

test("moves to a custom status on request, and continues from there", async () => {
  const all = await rig({ pace: "step by step" });
  expect(await all.plane.admin.step("agent", undefined, "WARMING_UP")).toBe("WARMING_UP");
  expect(await all.plane.admin.step("agent")).toBe("AWAITING_BUILD");
  expect(await all.plane.admin.step("agent", undefined, "BUILD_FAILED")).toBe("BUILD_FAILED");
});

test.each([
  ["CREATE_FAILED", ["CREATING"]],
  ["BUILD_FAILED", ["CREATING", "AWAITING_BUILD", "BUILDING"]],
  ["DEPLOY_FAILED", ["CREATING", ...ordinary]],
  ["MIGRATION_FAILED_TWICE", ["CREATING", ...ordinary]],
])("ends with the verdict %s and its reason", async (verdict, before) => {
  const all = await rig({ verdict, reason: "because" });
  expect(await poll(all, 1000)).toEqual([...before, verdict]);
  expect((await all.read()).status_message).toBe("because");
});

test("finishes an endless rollout when another plan replaces its plan", async () => {
  const all = await rig({ verdict: "never" });
  await all.clock.advance(60 * minutes);
  expect((await all.read()).status).toBe("DEPLOYING");
  all.plane.admin.steer({ deployment: "agent", pace: "at once" });
  await all.clock.advance(0);
  expect((await all.read()).status).toBe("DEPLOYED");
});

test("reports exactly the specified statuses, including unknown ones", async () => {
  const statuses = ["UNKNOWN", "PREHEATING", "INTERRUPTED", "DEPLOYING", "DEPLOYED"];
  expect(await poll(await rig({ statuses }), 1000)).toEqual(["CREATING", ...statuses]);
});

test("ends at SKIPPED and starts the next rollout", async () => {
  const all = await rig({ statuses: ["QUEUED", "SKIPPED"], times: 1 });
  await all.client.patch(all.path, { source_revision_config: {} });
  expect(await poll(all, 1000)).toEqual(["CREATING", "QUEUED", "SKIPPED"]);
  await all.clock.advance(5000);
  const { body } = await all.client.get<Resources<Revision>>(`${all.path}/revisions`);
  expect(body.resources.map((one) => one.status)).toEqual(["DEPLOYED", "SKIPPED"]);
});

test("applies limited plans in order, and then the permanent plan", async () => {
  const all = await rig(
    { pace: "at once" },
    { pace: "at once", verdict: "BUILD_FAILED", times: 1 },
    { pace: "at once", verdict: "DEPLOY_FAILED", times: 2 },
  );
  for (let round = 0; round < 3; round++) await all.client.patch(all.path, { source_revision_config: {} });
  const { body } = await all.client.get<Resources<Revision>>(`${all.path}/revisions`);
  expect(body.resources.map((one) => one.status)).toEqual([
    "DEPLOYED",
    "DEPLOY_FAILED",
    "DEPLOY_FAILED",
    "BUILD_FAILED",
  ]);
});

test("prefers plans for a revision to plans for its deployment, and both to the default plan", async () => {
  const all = await rig({ verdict: "never" }, { deployment: "agent", verdict: "DEPLOY_FAILED" });
  const other = (await all.client.post<Deployment>("/v2/deployments", creation("other"))).body;
  all.plane.admin.steer({ revisionId: other.latest_revision_id, verdict: "BUILD_FAILED" });
  await all.clock.advance(10_000);
  expect((await all.read()).status).toBe("DEPLOY_FAILED");
  const path = `/v2/deployments/${other.id}/revisions/${other.latest_revision_id}`;
  expect((await all.client.get<Revision>(path)).body.status).toBe("BUILD_FAILED");
});

test.each<[SteeringPlan, string]>([
  [{ statuses: ["DEPLOYED", "BUILDING"] }, "No status can follow DEPLOYED"],
  [{ statuses: [] }, "is empty"],
  [{ verdict: "BUILDING" }, "is not a verdict"],
  [{ verdict: "DEPLOYED", statuses: ["DEPLOYED"] }, "not both"],
  [{ times: 0 }, "1 or more"],
])("rejects %j", async (plan, detail) => {
  const { plane } = await start();
  expect(() => plane.admin.steer(plan)).toThrow(detail);
});

describe("a manually set status", () => {
  test("ends the rollout only if it is final", async () => {
    const all = await rig({ pace: "step by step" });
    await all.plane.admin.setStatus("agent", undefined, "UNKNOWN");
    expect((await all.read()).status).toBe("UNKNOWN");
    await all.plane.admin.setStatus("agent", undefined, "DEPLOY_FAILED", "pulled the plug");
    expect(await all.read()).toMatchObject({ status: "DEPLOY_FAILED", status_message: "pulled the plug" });
  });

  test("is rejected after the rollout has finished", async () => {
    const all = await rig({ pace: "at once" });
    await expect(all.plane.admin.setStatus("agent", undefined, "BUILDING")).rejects.toThrow(
      "No status can follow DEPLOYED",
    );
  });

  test("removes a queued revision from the queue", async () => {
    const all = await rig({ pace: "step by step" });
    const patched = await all.client.patch<Deployment>(all.path, { source_revision_config: {} });
    await all.plane.admin.setStatus("agent", patched.body.latest_revision_id, "SKIPPED");
    all.plane.admin.steer({ pace: "at once" });
    await all.clock.advance(60_000);
    const { body } = await all.client.get<Resources<Revision>>(`${all.path}/revisions`);
    expect(body.resources.map((one) => one.status)).toEqual(["SKIPPED", "DEPLOYED"]);
  });
});

test("creates a revision for an external push, without an entry in the journal", async () => {
  const all = await rig({ pace: "at once" });
  const before = all.plane.admin.journal().length;
  const pushed = all.plane.admin.pushRevision("agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
  expect(all.plane.admin.journal()).toHaveLength(before);
  expect((await all.client.get(all.path)).body).toMatchObject({
    latest_revision_id: pushed,
    source_revision_config: { repo_ref: "theirs" },
  });
});

test("rejects manual control of real rollouts", async () => {
  const { plane } = await start({ runner: { roll: async () => undefined, restart: async () => undefined } });
  expect(() => plane.admin.steer({})).toThrow("Only simulated rollouts can be controlled.");
});
