import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RolloutFailure, type RolloutRunner } from "../../../emulator/index";
import type { Deployment, LogPage, Resources, Revision } from "../answers";
import { type Client, creation, start, stopAll } from "../control-plane/client";
import { temporaryFolder } from "../control-plane/folder";
import { until } from "../../tools/waiting";
import { databasesFail, databasesFailAfterCommit } from "./failing-databases";

afterEach(async () => {
  jest.restoreAllMocks();
  await stopAll();
});

const create = "/v2/deployments";

const make = (client: Client, name: string) => client.post<Deployment>(create, creation(name));

async function revisionsOf(client: Client, id: string): Promise<Revision[]> {
  return (await client.get<Resources<Revision>>(`${create}/${id}/revisions`)).body.resources;
}

async function deployment(client: Client, id: string): Promise<Deployment> {
  return (await client.get<Deployment>(`${create}/${id}`)).body;
}

test.each([
  ["full", 507, /control-plane\.sqlite cannot be written: database or disk is full\. Free some space/],
  ["unwritable", 507, /control-plane\.sqlite cannot be written: disk I\/O error\. Free some space/],
  ["read-only", 503, /control-plane\.sqlite cannot be written: .* Make it and its folder writable/],
  ["damaged", 500, /control-plane\.sqlite is damaged: .* restore the file from a backup/],
] as const)(
  "rejects writes while the database is %s, with the status %i and the reason",
  async (kind, status, why) => {
    const { client, plane, faults } = await start({ state: temporaryFolder(), admin: true });
    const { id, latest_revision_id } = (await make(client, "agent")).body;
    const provider = {
      provider_id: "p",
      name: "P",
      client_id: "c",
      auth_url: "https://a.test/",
      token_url: "https://t.test/",
    };
    const repair = databasesFail(kind);
    for (const [method, path, body] of [
      ["POST", create, creation("other")],
      ["PATCH", `${create}/${id}`, { source_revision_config: { repo_ref: "next" } }],
      ["DELETE", `${create}/${id}`, undefined],
      ["DELETE", `${create}?deployment_ids=${id}`, undefined],
      ["POST", `${create}/${id}/revisions/${latest_revision_id}/interruption`, undefined],
      ["POST", "/v2/auth/authenticate", { user_id: "ada", provider: "github", scopes: [] }],
      ["POST", "/v2/auth/providers", provider],
      [
        "POST",
        "/v2/listeners",
        { compute_type: "k8s", compute_id: "c", compute_config: { k8s_namespaces: [] } },
      ],
      ["POST", "/v2/integrations/github/installation-link", undefined],
      ["POST", "/admin/reset", undefined],
    ] as const) {
      const answer = await client.send(method, path, body);
      expect([method, path, answer.status, answer.body]).toEqual([
        method,
        path,
        status,
        { detail: expect.stringMatching(why) },
      ]);
    }
    expect((await client.get<Resources<Deployment>>(create)).body.resources).toMatchObject([{ id }]);
    expect((await client.get(`${create}/${id}/revisions/${latest_revision_id}/logs`)).status).toBe(200);
    // One error message, not one per request.
    expect(faults.map(String)).toEqual([expect.stringMatching(why)]);
    repair();
    expect((await client.post(create, creation("other"))).status).toBe(201);
    expect(plane.admin.journal({ writes: true }).at(-1)).toMatchObject({ status: 201 });
  },
);

test("resumes rollouts automatically when the database becomes writable again", async () => {
  const { client, clock, faults } = await start({ secondsPerStatus: 10 });
  const made = async (name: string): Promise<string> => (await make(client, name)).body.id;
  const early = await made("early");
  await clock.advance(25_000);
  const late = await made("late");
  const change = { source_revision_config: { repo_ref: "second" } };
  const { latest_revision_id: waiting } = (await client.patch<Deployment>(`${create}/${late}`, change)).body;
  const statuses = async (id: string): Promise<string[]> =>
    (await revisionsOf(client, id)).map(({ status }) => status);

  const repair = databasesFail();
  await clock.advance(600_000);
  expect(await statuses(early)).toEqual(["BUILDING"]);
  repair();
  await clock.advance(1_000);
  expect(await statuses(early)).toEqual(["DEPLOYED"]);
  expect((await statuses(late)).at(-1)).toBe("DEPLOYED");
  await clock.advance(50_000);
  expect(await statuses(late)).toEqual(["DEPLOYED", "DEPLOYED"]);
  expect((await deployment(client, late)).active_revision_id).toBe(waiting);
  expect(faults).toHaveLength(1);
});

test("writes the log and the failure of a rollout when the database becomes writable again", async () => {
  const { client, clock, plane } = await start();
  const message = "no such ref";
  plane.admin.steer({
    verdict: "BUILD_FAILED",
    reason: message,
    logs: [{ message: "one" }, { message: "two" }],
  });
  const repair = databasesFailAfterCommit();
  const { status, body } = await make(client, "agent");
  expect([status, body.status]).toEqual([201, "READY"]);
  await clock.advance(60_000);
  const path = `${create}/${body.id}/revisions/${body.latest_revision_id}`;
  expect((await client.get<Revision>(path)).body.status).toBe("CREATING");
  expect((await client.get<LogPage>(`${path}/logs`)).body.logs).toEqual([]);
  repair();
  await clock.advance(1_000);
  expect((await client.get(path)).body).toMatchObject({ status: "BUILD_FAILED", status_message: message });
  const { logs } = (await client.get<LogPage>(`${path}/logs`)).body;
  expect(logs.map((line) => line.message)).toEqual(["one", "two", message]);
});

test("keeps acknowledged writes if later ones fail", async () => {
  const { client, clock, plane } = await start({ pushSeconds: 5 });
  plane.admin.steer({ verdict: "never" });
  const unfollowed = creation("unfollowed");
  const repairAfterCreation = databasesFailAfterCommit();
  const made = await client.post<Deployment>(create, unfollowed);
  expect(made.status).toBe(201);
  repairAfterCreation();
  await clock.advance(1_000);

  const path = `${create}/${made.body.id}`;
  const repairAfterPatch = databasesFailAfterCommit();
  const change = { source_revision_config: { repo_ref: "next" } };
  expect((await client.patch(path, change)).status).toBe(200);
  repairAfterPatch();
  await clock.advance(1_000);
  expect(await revisionsOf(client, made.body.id)).toMatchObject([
    { status: "QUEUED" },
    { status: "BUILDING" },
  ]);

  const repairAfterDeletion = databasesFailAfterCommit();
  expect((await client.delete(path)).status).toBe(204);
  expect((await client.get<Deployment>(path)).body.status).toBe("AWAITING_DELETE");
  repairAfterDeletion();
  await clock.advance(1_000);
  expect((await client.get(path)).status).toBe(404);
  expect((await client.post(create, unfollowed)).status).toBe(201);
});

test("completes a delayed deletion and a slow create when the database becomes writable again", async () => {
  const { client, clock } = await start({
    lingerSeconds: 60,
    finalLingerSeconds: 60,
    quirks: { databaseSeconds: 30 },
  });
  const gone = (await make(client, "gone")).body.id;
  const made = (await make(client, "made")).body;
  expect((await client.delete(`${create}/${gone}`)).status).toBe(204);
  const repair = databasesFail();
  await clock.advance(200_000);
  expect((await deployment(client, gone)).status).toBe("AWAITING_DELETE");
  expect((await deployment(client, made.id)).status).toBe("AWAITING_DATABASE");
  repair();
  await clock.advance(10_000);
  expect((await client.get(`${create}/${gone}`)).status).toBe(404);
  expect(await deployment(client, made.id)).toMatchObject({
    status: "READY",
    active_revision_id: made.latest_revision_id,
  });
});

test("closes while nothing can be written, and resumes at the next start", async () => {
  const state = temporaryFolder();
  const before = await start({ state });
  const { id, latest_revision_id } = (await make(before.client, "agent")).body;
  const repair = databasesFail();
  await before.clock.advance(60_000);
  await before.plane.close();
  repair();
  const after = await start({ state });
  await after.clock.advance(60_000);
  expect((await deployment(after.client, id)).active_revision_id).toBe(latest_revision_id);
});

test("stops an agent when it closes, even if the agent could not be recorded", async () => {
  let stopped = 0;
  const agent = {
    origin: "http://127.0.0.1:9",
    exited: new Promise<string>(() => undefined),
    stop: async () => void (stopped += 1),
  };
  const { client, clock, plane } = await start({
    runner: { roll: async () => agent, restart: async () => agent },
  });
  databasesFailAfterCommit();
  await client.post(create, creation("agent"));
  await clock.advance(0);
  expect(stopped).toBe(0);
  await plane.close();
  expect(stopped).toBe(1);
});

test("removes the files of a failed build when the disk is full", async () => {
  let folder = "";
  const runner: RolloutRunner = {
    roll: async ({ revisionFolder }) => {
      folder = revisionFolder;
      writeFileSync(join(revisionFolder, "half-a-package"), "x");
      throw new RolloutFailure("BUILD_FAILED", "no space left on device");
    },
    restart: async () => undefined,
  };
  const { client, clock } = await start({ runner, state: temporaryFolder() });
  const { id } = (await make(client, "agent")).body;
  await clock.advance(0);
  expect(await revisionsOf(client, id)).toMatchObject([{ status: "BUILD_FAILED" }]);
  await until(() => !existsSync(folder));
});

test("fails a rollout with the path of the folder that cannot be created", async () => {
  const state = temporaryFolder();
  const { client, clock } = await start({
    state,
    runner: { roll: async () => undefined, restart: async () => undefined },
  });
  writeFileSync(join(state, "deployments"), "");
  const { id } = (await make(client, "agent")).body;
  await clock.advance(0);
  const [revision] = await revisionsOf(client, id);
  expect(revision).toMatchObject({ status: "BUILD_FAILED" });
  expect(revision!.status_message).toContain(join(state, "deployments"));
});

describe("startup", () => {
  test("fails with the path and advice if the database is damaged", async () => {
    const state = temporaryFolder();
    writeFileSync(join(state, "control-plane.sqlite"), "not a database at all. ".repeat(500));
    await expect(start({ state })).rejects.toThrow(
      `${join(state, "control-plane.sqlite")} is damaged: file is not a database. Stop the control plane, then restore`,
    );
  });

  test("releases the folder and the port if it fails", async () => {
    const state = temporaryFolder();
    const first = await start({ state });
    await first.plane.close();
    mkdirSync(join(state, "running.json"));
    await expect(start({ state })).rejects.toThrow("running.json");
    await expect(fetch(first.plane.baseUrl)).rejects.toThrow("fetch failed");
    rmSync(join(state, "running.json"), { recursive: true });
    expect((await start({ state })).plane.baseUrl).toBe(first.plane.baseUrl);
  });

  test("fails with advice if the disk is full", async () => {
    const state = temporaryFolder();
    databasesFail();
    await expect(start({ state })).rejects.toThrow(
      /control-plane\.sqlite cannot be written: database or disk is full\. Free some space/,
    );
  });
});
