import type { Deployment, Resources, Revision } from "../../answers";
import type { RolloutRunner } from "../../../../emulator/index";
import { creation, type Rig, start, stopAll } from "../client";

afterEach(stopAll);

async function rig(): Promise<
  Rig & { path: string; revise: () => Promise<string>; statuses: () => Promise<string[]> }
> {
  const base = await start();
  base.plane.admin.steer({ pace: { afterSeconds: 1800 } });
  const { id } = (await base.client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  const path = `/v2/deployments/${id}`;
  return {
    ...base,
    path,
    revise: async () =>
      (await base.client.patch<Deployment>(path, { source_revision_config: {} })).body.latest_revision_id,
    /** Returns the statuses of the revisions, newest first. */
    statuses: async () =>
      (await base.client.get<Resources<Revision>>(`${path}/revisions`)).body.resources.map(
        (one) => one.status,
      ),
  };
}

test("runs one rollout at a time and queues later ones in order", async () => {
  const { clock, client, path, revise, statuses } = await rig();
  const second = await revise();
  const third = await revise();
  expect(await statuses()).toEqual(["QUEUED", "QUEUED", "CREATING"]);
  await clock.advance(1_800_000);
  expect(await statuses()).toEqual(["QUEUED", "QUEUED", "DEPLOYED"]);
  await clock.advance(400_000);
  expect(await statuses()).toEqual(["QUEUED", "AWAITING_BUILD", "DEPLOYED"]);
  await clock.advance(1_400_000);
  expect(await statuses()).toEqual(["QUEUED", "DEPLOYED", "DEPLOYED"]);
  expect((await client.get(path)).body).toMatchObject({
    active_revision_id: second,
    latest_revision_id: third,
  });
  await clock.advance(1_800_000);
  expect((await client.get<Deployment>(path)).body.active_revision_id).toBe(third);
});

test("keeps the active revision after a failure and starts the next rollout", async () => {
  const { clock, client, path, plane, revise, statuses } = await rig();
  await clock.advance(1_800_000);
  const first = (await client.get<Deployment>(path)).body.active_revision_id;
  plane.admin.steer({ deployment: "agent", verdict: "DEPLOY_FAILED", reason: "never healthy", times: 1 });
  const failing = await revise();
  await revise();
  await clock.advance(5_000);
  expect(await statuses()).toEqual(["QUEUED", "DEPLOY_FAILED", "DEPLOYED"]);
  await clock.advance(360_000);
  expect(await statuses()).toEqual(["AWAITING_BUILD", "DEPLOY_FAILED", "DEPLOYED"]);
  expect((await client.get<Deployment>(path)).body.active_revision_id).toBe(first);
  expect((await client.get<Revision>(`${path}/revisions/${failing}`)).body.status_message).toBe(
    "never healthy",
  );
});

test("runs rollouts of different deployments at the same time", async () => {
  const { clock, client, statuses } = await rig();
  const other = (await client.post<Deployment>("/v2/deployments", creation("other"))).body;
  await clock.advance(1_800_000);
  expect(await statuses()).toEqual(["DEPLOYED"]);
  expect((await client.get<Deployment>(`/v2/deployments/${other.id}`)).body.active_revision_id).toBe(
    other.latest_revision_id,
  );
});

test("deletes a deployment and its queued revisions during a rollout", async () => {
  const { clock, client, path, revise, faults } = await rig();
  await revise();
  await clock.advance(500_000);
  expect((await client.delete(path)).status).toBe(204);
  await clock.advance(5_000_000);
  expect((await client.get(path)).status).toBe(404);
  expect(faults).toEqual([]);
});

test("omits the build in a rollout of an image", async () => {
  const { plane, client } = await rig();
  plane.admin.steer({ pace: "step by step" });
  const image = creation("image", {
    source: "external_docker",
    source_revision_config: { image_uri: "agent:1" },
  });
  await client.post("/v2/deployments", image);
  expect(await plane.admin.step("image")).toBe("AWAITING_DEPLOY");
});

test("runs each rollout once, and one at a time, for all sequences of requests", async () => {
  const rolled: string[] = [];
  let atOnce = 0;
  let most = 0;
  const releases: (() => void)[] = [];
  const runner: RolloutRunner = {
    roll: async ({ revisionId }) => {
      rolled.push(revisionId);
      most = Math.max(most, ++atOnce);
      await new Promise<void>((resolve) => releases.push(resolve));
      atOnce--;
      return undefined;
    },
    restart: async () => undefined,
  };
  const { client, clock } = await start({ runner });
  const { id, latest_revision_id } = (await client.post<Deployment>("/v2/deployments", creation("agent")))
    .body;
  const made = [latest_revision_id];
  for (let round = 0; round < 5; round++) {
    const patched = await client.patch<Deployment>(`/v2/deployments/${id}`, { source_revision_config: {} });
    made.push(patched.body.latest_revision_id);
    if (round % 2) releases.shift()?.();
    await clock.advance(0);
  }
  while (releases.length > 0) {
    releases.shift()!();
    await clock.advance(0);
  }
  expect(most).toBe(1);
  expect(rolled).toEqual(made);
});
