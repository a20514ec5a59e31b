import type { Deployment } from "../answers";
import { creation, start, stopAll } from "../control-plane/client";
import { temporaryFolder } from "../control-plane/folder";

afterEach(stopAll);

test("leaves an empty control plane with the same key, tenant, and port", async () => {
  const { client, clock, plane, faults } = await start({ state: temporaryFolder() });
  plane.admin.steer({ verdict: "never" });
  const { id, latest_revision_id } = (await client.post<Deployment>("/v2/deployments", creation("agent")))
    .body;
  await client.patch(`/v2/deployments/${id}`, { source_revision_config: {} });
  plane.admin.fault({ kind: "status", status: 500, times: 99 });
  plane.admin.lingerDeleted(60);
  await plane.admin.reset();

  expect(plane.admin.journal()).toEqual([]);
  expect((await client.get("/v2/deployments")).body).toEqual({ resources: [], offset: 0 });
  expect((await client.get(`/v2/deployments/${id}/revisions/${latest_revision_id}`)).status).toBe(404);
  const again = (await client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  await clock.advance(5000);
  expect((await client.get<Deployment>(`/v2/deployments/${again.id}`)).body.active_revision_id).toBe(
    again.latest_revision_id,
  );
  await client.delete(`/v2/deployments/${again.id}`);
  expect((await client.get(`/v2/deployments/${again.id}`)).status).toBe(404);
  expect(faults).toEqual([]);
});

test("stops the agents", async () => {
  let stopped = 0;
  const agent = {
    origin: "http://127.0.0.1:9",
    exited: new Promise<string>(() => undefined),
    stop: async () => void (stopped += 1),
  };
  const { client, clock, plane } = await start({
    runner: { roll: async () => agent, restart: async () => agent },
  });
  await client.post("/v2/deployments", creation("agent"));
  await clock.advance(0);
  await plane.admin.reset();
  expect(stopped).toBe(1);
});
