import type { Deployment } from "../../answers";
import { revisionList, revisionLogs } from "../../../../wire";
import { creation, type Rig, start, stopAll } from "../client";

afterEach(stopAll);

const missing = "0b5c2a48-1c3e-4ad2-9d6e-5b2d0f3d0000";

async function withRevisions(count: number): Promise<Rig & { path: string; ids: string[] }> {
  const rig = await start();
  rig.plane.admin.steer({ pace: "at once" });
  const { body } = await rig.client.post<Deployment>("/v2/deployments", creation("agent"));
  const path = `/v2/deployments/${body.id}`;
  const ids = [body.latest_revision_id];
  while (ids.length < count) {
    const patched = await rig.client.patch<Deployment>(path, {
      source_revision_config: { repo_ref: `r${ids.length}` },
    });
    ids.push(patched.body.latest_revision_id);
  }
  return { ...rig, path, ids };
}

test("lists revisions newest first, in pages, with unique times", async () => {
  const { client, path, ids } = await withRevisions(5);
  const { body } = await client.get(`${path}/revisions`);
  const list = revisionList.parse(body);
  expect(list.resources.map(({ id }) => id)).toEqual(ids.toReversed());
  const times = list.resources.map(({ created_at }) => Date.parse(created_at!));
  expect(times).toEqual([...new Set(times)].sort((one, other) => other - one));
  const page = await client.get(`${path}/revisions?limit=2&offset=2`);
  expect(page.body).toMatchObject({ resources: [{ id: ids[2] }, { id: ids[1] }], offset: 4 });
});

test("keeps the status DEPLOYED and the source of older revisions", async () => {
  const { client, path, ids } = await withRevisions(2);
  const [first, second] = await Promise.all(ids.map((id) => client.get(`${path}/revisions/${id}`)));
  expect(first!.body).toMatchObject({ status: "DEPLOYED", source_revision_config: { repo_ref: "main" } });
  expect(second!.body).toMatchObject({ status: "DEPLOYED", source_revision_config: { repo_ref: "r1" } });
});

test("returns 404 with the ID of the missing object", async () => {
  const { client, path } = await withRevisions(1);
  const unknown = { status: 404, body: { detail: `Revision ID ${missing} not found.` } };
  expect(await client.get(`${path}/revisions/${missing}`)).toMatchObject(unknown);
  expect(await client.get(`${path}/revisions/${missing}/logs`)).toMatchObject(unknown);
  const nowhere = { status: 404, body: { detail: `Deployment ID ${missing} not found.` } };
  expect(await client.get(`/v2/deployments/${missing}/revisions`)).toMatchObject(nowhere);
  expect(await client.get(`/v2/deployments/${missing}/revisions/${missing}`)).toMatchObject(nowhere);
});

test("returns 404 for a revision of another deployment", async () => {
  const { client, ids } = await withRevisions(1);
  const other = (await client.post<Deployment>("/v2/deployments", creation("other"))).body;
  expect((await client.get(`/v2/deployments/${other.id}/revisions/${ids[0]}`)).status).toBe(404);
});

test("applies changed secrets to the next revision, not to the one being rolled out", async () => {
  const seen: string[][] = [];
  const { client } = await start({
    runner: {
      roll: async (job) => void seen.push(job.secrets.map(({ value }) => value)),
      restart: async () => undefined,
    },
  });
  const secrets = (value: string) => [{ name: "A", value }];
  const { id } = (
    await client.post<Deployment>("/v2/deployments", creation("agent", { secrets: secrets("one") }))
  ).body;
  await client.patch(`/v2/deployments/${id}`, { secrets: secrets("two") });
  expect(seen).toEqual([["one"]]);
  await client.patch(`/v2/deployments/${id}`, { source_revision_config: {} });
  expect(seen).toEqual([["one"], ["two"]]);
});

describe("logs", () => {
  async function withLogs(): Promise<
    (query?: string) => Promise<{ messages: string[]; next: string | null }>
  > {
    const rig = await start();
    rig.plane.admin.steer({
      pace: "at once",
      verdict: "BUILD_FAILED",
      reason: "no such ref",
      logs: [
        { message: "cloning" },
        { level: "WARNING", message: "slow Network" },
        { type: "deploy", message: "starting" },
      ],
    });
    const { id, latest_revision_id } = (
      await rig.client.post<Deployment>("/v2/deployments", creation("agent"))
    ).body;
    return async (query = "") => {
      const { body } = await rig.client.get(
        `/v2/deployments/${id}/revisions/${latest_revision_id}/logs${query}`,
      );
      const { logs, next_offset } = revisionLogs.parse(body);
      return { messages: logs.map(({ message }) => message), next: next_offset ?? null };
    };
  }

  test("returns the logs of one or both phases, filtered and in either order", async () => {
    const logs = await withLogs();
    expect((await logs()).messages).toEqual(["cloning", "slow Network", "starting", "no such ref"]);
    expect((await logs("?type=build")).messages).toEqual(["cloning", "slow Network", "no such ref"]);
    expect((await logs("?type=deploy&order=desc")).messages).toEqual(["starting"]);
    expect((await logs("?level=WARNING")).messages).toEqual(["slow Network"]);
    expect((await logs("?query=network")).messages).toEqual(["slow Network"]);
  });

  test.each(["asc", "desc"])("returns pages that neither omit nor repeat lines (%s)", async (order) => {
    const logs = await withLogs();
    const all = (await logs(`?order=${order}`)).messages;
    const first = await logs(`?order=${order}&limit=3`);
    const rest = await logs(`?order=${order}&limit=3&offset=${first.next}`);
    expect([...first.messages, ...rest.messages]).toEqual(all);
    expect(rest.next).toBeNull();
  });
});
