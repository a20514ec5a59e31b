import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { Deployment, Resources, Revision } from "../answers";
import { type Client, creation, start, stopAll } from "../control-plane/client";
import { temporaryFolder } from "../control-plane/folder";

afterEach(stopAll);

interface Kept {
  statuses: { status: string; at: string }[];
}

async function kept(client: Client, { id, latest_revision_id: revision }: Deployment) {
  return (await client.get<Kept>(`/admin/deployments/${id}/revisions/${revision}/statuses`)).body.statuses;
}

async function madeIn(state: string) {
  const rig = await start({ admin: true, state });
  rig.plane.admin.steer({ pace: { secondsPerStatus: 10 } });
  const { body } = await rig.client.post<Deployment>("/v2/deployments", creation("agent"));
  await rig.clock.advance(60_000);
  return { ...rig, deployment: body };
}

test("keeps each status of a revision with its time across a restart", async () => {
  const state = temporaryFolder();
  const { plane, client, deployment } = await madeIn(state);
  const before = await kept(client, deployment);
  expect(before.map(({ status }) => status)).toEqual([
    "CREATING",
    "AWAITING_BUILD",
    "BUILDING",
    "AWAITING_DEPLOY",
    "DEPLOYING",
    "DEPLOYED",
  ]);
  const times = before.map(({ at }) => Date.parse(at));
  expect(times[5]! - times[1]!).toBeGreaterThanOrEqual(39_990);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  await plane.close();
  const again = await start({ admin: true, state });
  expect(await kept(again.client, deployment)).toEqual(before);
});

test("reports past statuses only to the web console, not in the public API", async () => {
  const { client, deployment } = await madeIn(temporaryFolder());
  const path = `/v2/deployments/${deployment.id}/revisions`;
  const [open] = (await client.get<Resources<Revision>>(path)).body.resources;
  expect(open).not.toHaveProperty("statuses");
  const [own] = (await client.get<Resources<Revision & Kept>>(`/page${path}`)).body.resources;
  expect(own!.statuses).toEqual(await kept(client, deployment));
});

test("starts with the last status of each revision if the state folder has no statuses", async () => {
  const state = temporaryFolder();
  const { plane, client, deployment } = await madeIn(state);
  const last = (await kept(client, deployment)).at(-1);
  await plane.close();
  const database = new DatabaseSync(join(state, "control-plane.sqlite"));
  database.exec("DROP TABLE statuses; PRAGMA user_version = 5");
  database.close();
  const again = await start({ admin: true, state });
  expect(await kept(again.client, deployment)).toEqual([last]);
  const { body } = await again.client.get<Deployment>(`/v2/deployments/${deployment.id}`);
  expect(body).toMatchObject({ name: "agent", active_revision_id: deployment.latest_revision_id });
});

test("returns 404 for the statuses of an unknown revision", async () => {
  const { client, deployment } = await madeIn(temporaryFolder());
  const path = `/admin/deployments/${deployment.id}/revisions/${deployment.id}/statuses`;
  expect((await client.get(path)).status).toBe(404);
});
