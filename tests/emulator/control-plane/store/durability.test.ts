import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Served as Address } from "../../gateway/deployment";
import { readJson } from "../../../json";
import type { Deployment, Resources, Revision } from "../../answers";
import { Client, creation, start, stopAll } from "../client";
import { temporaryFolder } from "../folder";

interface Served {
  child: ChildProcess;
  client: Client;
  baseUrl: string;
}

const children = new Set<ChildProcess>();

/** Starts a control plane in a separate process, which can be killed. */
async function serve(state: string, secondsPerStatus: number): Promise<Served> {
  const script = join(__dirname, "../fixtures/serve.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, state, String(secondsPerStatus)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { baseUrl, apiKey, tenantId } = readJson<Address>(line);
  return { child, baseUrl, client: new Client(baseUrl, { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId }) };
}

async function kill({ child }: Served): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  children.delete(child);
}

afterEach(stopAll);
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

test("keeps all acknowledged writes if the process is killed while it writes", async () => {
  const state = temporaryFolder();
  const served = await serve(state, 3600);
  const acknowledged: { id: string; ref: string; revisions: number }[] = [];
  const deleted: string[] = [];
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; ; round++) {
      const { body } = await served.client.post<Deployment>(
        "/v2/deployments",
        creation(`agent-${writer}-${round}`),
      );
      const mine = { id: body.id, ref: "main", revisions: 1 };
      acknowledged.push(mine);
      const change = { source_revision_config: { repo_ref: `ref-${round}` } };
      await served.client.patch(`/v2/deployments/${mine.id}`, change);
      Object.assign(mine, { ref: `ref-${round}`, revisions: 2 });
      if (round % 3 !== 2) continue;
      acknowledged.splice(acknowledged.indexOf(mine), 1);
      await served.client.delete(`/v2/deployments/${mine.id}`);
      deleted.push(mine.id);
    }
  };
  const writers = Promise.allSettled([0, 1, 2, 3].map(write));
  while (deleted.length < 8) await served.client.get("/ok");
  await kill(served);
  await writers;

  const { client, plane } = await start({ state });
  expect(plane.baseUrl).toBe(served.baseUrl);
  for (const { id, ref, revisions } of acknowledged) {
    const found = await client.get<Deployment>(`/v2/deployments/${id}`);
    const history = (await client.get<Resources<Revision>>(`/v2/deployments/${id}/revisions`)).body.resources;
    // The last write may or may not be complete; all earlier ones are.
    expect(history.length).toBeGreaterThanOrEqual(revisions);
    expect(found.body.latest_revision_id).toBe(history[0]!.id);
    if (history.length === revisions) expect(found.body.source_revision_config.repo_ref).toBe(ref);
  }
  for (const id of deleted) expect((await client.get(`/v2/deployments/${id}`)).status).toBe(404);
});

test("resumes running and queued rollouts after a kill", async () => {
  const state = temporaryFolder();
  const served = await serve(state, 0);
  const { id, latest_revision_id: first } = (
    await served.client.post<Deployment>("/v2/deployments", creation("agent"))
  ).body;
  await kill(served);

  const stuck = await serve(state, 3600);
  const path = `/v2/deployments/${id}`;
  const revise = async (): Promise<string> =>
    (await stuck.client.patch<Deployment>(path, { source_revision_config: {} })).body.latest_revision_id;
  const second = await revise();
  const third = await revise();
  await kill(stuck);

  const { client, clock } = await start({ state, secondsPerStatus: 60 });
  const statuses = async (): Promise<string[]> =>
    Promise.all(
      [first, second, third].map(
        async (one) => (await client.get<Revision>(`${path}/revisions/${one}`)).body.status,
      ),
    );
  expect(await statuses()).toEqual(["DEPLOYED", "CREATING", "QUEUED"]);
  await clock.advance(300_000);
  expect(await statuses()).toEqual(["DEPLOYED", "DEPLOYED", "QUEUED"]);
  await clock.advance(300_000);
  expect(await statuses()).toEqual(["DEPLOYED", "DEPLOYED", "DEPLOYED"]);
  expect((await client.get<Deployment>(path)).body.active_revision_id).toBe(third);
});

test("keeps the order of statuses when a rollout is restarted after a kill", async () => {
  const state = temporaryFolder();
  const before = await start({ state, secondsPerStatus: 60 });
  const { id, latest_revision_id } = (
    await before.client.post<Deployment>("/v2/deployments", creation("agent"))
  ).body;
  await before.clock.advance(180_000);
  const path = `/v2/deployments/${id}/revisions/${latest_revision_id}`;
  expect((await before.client.get<Revision>(path)).body.status).toBe("AWAITING_DEPLOY");
  await before.plane.close();
  const after = await start({ state, secondsPerStatus: 60 });
  const seen: string[] = [];
  for (let minute = 0; minute < 6; minute++) {
    seen.push((await after.client.get<Revision>(path)).body.status);
    await after.clock.advance(60_000);
  }
  expect([...new Set(seen)]).toEqual(["AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"]);
});

test("finishes a deletion that was interrupted by a kill", async () => {
  const state = temporaryFolder();
  const before = await start({ state, lingerSeconds: 60 });
  const { id } = (await before.client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  await before.client.delete(`/v2/deployments/${id}`);
  await before.plane.close();
  const after = await start({ state });
  expect((await after.client.get<Deployment>(`/v2/deployments/${id}`)).body.status).toBe("AWAITING_DELETE");
  await after.clock.advance(60_000);
  expect((await after.client.get(`/v2/deployments/${id}`)).status).toBe(404);
});
