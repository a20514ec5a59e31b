import type { Deployment, Resources } from "../../answers";
import { temporaryFolder } from "../folder";
import { type Answer, type Client, creation, start, stopAll } from "../client";

afterEach(stopAll);

const missing = "0b5c2a48-1c3e-4ad2-9d6e-5b2d0f3d0000";

async function made(client: Client, name = "agent"): Promise<string> {
  return (await client.post<Deployment>("/v2/deployments", creation(name))).body.id;
}

test("removes a deployment in stages, and reserves its name until the last stage", async () => {
  const { client, clock } = await start({ lingerSeconds: 3600, finalLingerSeconds: 7 * 24 * 3600 });
  const id = await made(client);
  const path = `/v2/deployments/${id}`;
  const status = async (): Promise<string | number> => {
    const answer = await client.get<Deployment>(path);
    return answer.status === 200 ? answer.body.status : answer.status;
  };
  expect((await client.delete(path)).status).toBe(204);
  expect(await status()).toBe("AWAITING_DELETE");
  await clock.advance(3_600_000);
  expect(await status()).toBe("AWAITING_FINAL_DELETE");
  expect((await client.post("/v2/deployments", creation("agent"))).status).toBe(409);
  await clock.advance(7 * 24 * 3_600_000);
  expect(await status()).toBe(404);
  expect((await client.post("/v2/deployments", creation("agent"))).status).toBe(201);
});

test("continues a deletion at the next stage after a restart", async () => {
  const state = temporaryFolder();
  const options = { state, lingerSeconds: 60, finalLingerSeconds: 60 };
  const before = await start(options);
  const id = await made(before.client);
  await before.client.delete(`/v2/deployments/${id}`);
  await before.clock.advance(60_000);
  await before.plane.close();
  const after = await start({ ...options, clock: before.clock });
  expect((await after.client.get<Deployment>(`/v2/deployments/${id}`)).body.status).toBe(
    "AWAITING_FINAL_DELETE",
  );
  await before.clock.advance(60_000);
  expect((await after.client.get(`/v2/deployments/${id}`)).status).toBe(404);
});

test("accepts force only for a deployment that is already being deleted", async () => {
  const { client } = await start({ lingerSeconds: 60 });
  const id = await made(client);
  const path = `/v2/deployments/${id}`;
  expect(await client.delete(`${path}?force=true`)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining("active") },
  });
  await client.delete(path);
  expect((await client.delete(`${path}?force=maybe`)).status).toBe(422);
  // Python clients spell booleans in this way.
  expect((await client.delete(`${path}?force=True`)).status).toBe(204);
  expect((await client.get(path)).status).toBe(404);
  expect((await client.post("/v2/deployments", creation("agent"))).status).toBe(201);
});

describe("bulk deletion", () => {
  const removeAll = (client: Client, ...ids: string[]): Promise<Answer> =>
    client.delete(`/v2/deployments?${ids.map((id) => `deployment_ids=${id}`).join("&")}`);

  test("deletes the existing deployments, and lists the missing ones", async () => {
    const { client } = await start();
    const ids = [await made(client, "one"), await made(client, "two"), await made(client, "three")];
    expect(await removeAll(client, ids[0]!, ids[1]!)).toMatchObject({ status: 200 });
    expect(await removeAll(client, ids[2]!, missing)).toMatchObject({
      status: 207,
      body: { deleted: [ids[2]], missing: [missing] },
    });
    expect((await removeAll(client, missing)).status).toBe(404);
    expect((await client.get<Resources<Deployment>>("/v2/deployments")).body.resources).toEqual([]);
  });

  test("requires valid IDs", async () => {
    const { client } = await start();
    expect((await client.delete("/v2/deployments")).status).toBe(422);
    for (const wrong of [["nonsense"], ["nonsense", missing]])
      expect(await removeAll(client, ...wrong)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ["query", "deployment_ids", 0], type: "uuid_parsing" }] },
      });
    expect((await removeAll(client, ...Array.from({ length: 101 }, () => missing))).status).toBe(422);
  });
});

test("supports all documented list filters", async () => {
  const { client, clock, plane } = await start();
  const type = (deployment_type: string) => ({
    source_config: { repo_url: "https://example.test/a.git", deployment_type },
  });
  const one = (await client.post<Deployment>("/v2/deployments", creation("one", type("dev")))).body.id;
  const two = (await client.post<Deployment>("/v2/deployments", creation("two", type("prod")))).body.id;
  await clock.advance(20_000);
  const names = async (query: string): Promise<string[]> =>
    (await client.get<Resources<Deployment>>(`/v2/deployments?${query}`)).body.resources.map(
      (each) => each.name,
    );
  expect(await names("deployment_type=dev")).toEqual(["one"]);
  expect(await names(`deployment_ids=${two},${missing}`)).toEqual(["two"]);
  expect(await names(`url=${encodeURIComponent(`${plane.baseUrl}/agents/${one}`)}`)).toEqual(["one"]);
  expect(await names("url=https%3A%2F%2Felsewhere.test")).toEqual([]);
  expect(await names("status=READY&remote_reconciled=true&name_contains=w")).toEqual(["two"]);
  expect(await names("tag_value_ids=7")).toEqual([]);
  expect(await names("image_version=1")).toEqual([]);
});
