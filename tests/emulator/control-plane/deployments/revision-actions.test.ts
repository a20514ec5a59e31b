import type { Deployment, Resources, Revision } from "../../answers";
import { type DialectName, dialectNames } from "../../../../wire";
import { creationIn, type Rig, start, stopAll } from "../client";

afterEach(stopAll);

interface Made extends Rig {
  path: string;
  first: string;
}

async function deployed(dialect: DialectName): Promise<Made> {
  const rig = await start({ dialect });
  const secrets = [{ name: "A", value: "one" }];
  const { body } = await rig.client.post<Deployment>(
    "/v2/deployments",
    creationIn(dialect, "agent", { secrets }),
  );
  await rig.clock.advance(20_000);
  return { ...rig, path: `/v2/deployments/${body.id}`, first: body.latest_revision_id };
}

describe.each(dialectNames)("in the %s dialect", (dialect) => {
  test("creates a revision from the current settings", async () => {
    const { client, path, first } = await deployed(dialect);
    const made = await client.post<Revision>(`${path}/revisions`, {});
    expect(made).toMatchObject({ status: 201, body: { status: "CREATING" } });
    expect(made.body.id).not.toBe(first);
    expect((await client.get(path)).body).toMatchObject({
      latest_revision_id: made.body.id,
      secrets: [{ name: "A", value: "one" }],
    });
  });

  test("creates a revision with changes to the settings, and stores the changes", async () => {
    const { client, path } = await deployed(dialect);
    const made = await client.post<Revision>(`${path}/revisions`, {
      source_config: { build_on_push: true },
      source_revision_config: { repo_ref: "next" },
      secrets: [{ name: "B", value: "two" }],
    });
    expect(made.body.source_revision_config.repo_ref).toBe("next");
    expect((await client.get(path)).body).toMatchObject({
      source_config: { build_on_push: true },
      secrets: [{ name: "B", value: "two" }],
    });
    expect((await client.post(`${path}/revisions`, { secrets: "A" })).status).toBe(422);
  });

  test("redeploys an earlier revision", async () => {
    const { client, clock, path, first } = await deployed(dialect);
    const before = (await client.get<Revision>(`${path}/revisions/${first}`)).body.source_revision_config;
    await client.patch(path, { source_revision_config: { repo_ref: "broken" } });
    await clock.advance(20_000);
    const again = await client.post<Deployment>(`${path}/revisions/${first}/redeploy`);
    expect(again.status).toBe(200);
    await clock.advance(20_000);
    const { body: after } = await client.get<Deployment>(path);
    expect(after.source_revision_config).toEqual(before);
    const { latest_revision_id, active_revision_id } = after;
    expect(active_revision_id).toBe(latest_revision_id);
    expect(latest_revision_id).toBe(again.body.latest_revision_id);
    expect(latest_revision_id).not.toBe(first);
  });

  test.each(["interrupt", "interruption"])(
    "ends a rollout with POST …/%s, and starts the next one",
    async (word) => {
      const { client, clock, plane, path, first } = await deployed(dialect);
      plane.admin.steer({ verdict: "never", times: 1 });
      const { id: stuck } = (await client.post<Revision>(`${path}/revisions`, {})).body;
      await clock.advance(60_000);
      const { id: next } = (await client.post<Revision>(`${path}/revisions`, {})).body;
      expect((await client.get<Revision>(`${path}/revisions/${next}`)).body.status).toBe("QUEUED");
      expect((await client.post(`${path}/revisions/${stuck}/${word}`)).status).toBe(204);
      expect((await client.get<Revision>(`${path}/revisions/${stuck}`)).body.status).toBe("INTERRUPTED");
      expect((await client.get<Deployment>(path)).body.active_revision_id).toBe(first);
      await clock.advance(60_000);
      expect((await client.get<Deployment>(path)).body.active_revision_id).toBe(next);
      const over = await client.post(`${path}/revisions/${next}/${word}`);
      expect(over).toMatchObject({ status: 400, body: { detail: expect.stringContaining("DEPLOYED") } });
    },
  );

  test("creates a revision when the tier is changed", async () => {
    const { client, path, first } = await deployed(dialect);
    const whole = await client.patch<Deployment>(`${path}/deployment-tier`, {
      deployment_tier: "SERVERLESS_L",
    });
    expect(whole.body).toMatchObject({ compute_tier: "SERVERLESS_L", database_tier: "SERVERLESS_L" });
    const part = await client.patch<Deployment>(`${path}/resource-tiers`, { database_tier: "DEDICATED_S" });
    expect(new Set([first, whole.body.latest_revision_id, part.body.latest_revision_id]).size).toBe(3);
    expect((await client.patch(`${path}/deployment-tier`, {})).status).toBe(422);
  });

  test("filters revisions by status", async () => {
    const { client, path, first } = await deployed(dialect);
    await client.post(`${path}/revisions`, {});
    const found = async (status: string): Promise<string[]> =>
      (await client.get<Resources<Revision>>(`${path}/revisions?status=${status}`)).body.resources.map(
        (one) => one.id,
      );
    expect(await found("DEPLOYED")).toEqual([first]);
    expect(await found("DEPLOYED,CREATING")).toHaveLength(2);
    expect(await found("SKIPPED")).toEqual([]);
  });

  test("rejects actions on a deployment that is unknown or being deleted", async () => {
    const { client, plane, path, first } = await deployed(dialect);
    plane.admin.lingerDeleted(60);
    await client.delete(path);
    expect((await client.post(`${path}/revisions`, {})).status).toBe(409);
    expect((await client.post(`${path}/revisions/${first}/redeploy`)).status).toBe(409);
    const unknown = `/v2/deployments/${first}`;
    expect((await client.post(`${unknown}/revisions`, {})).status).toBe(404);
    expect((await client.post(`${unknown}/revisions/${first}/redeploy`)).status).toBe(404);
    expect((await client.post(`${unknown}/revisions/${first}/interrupt`)).status).toBe(404);
  });
});
