import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  RolloutFailure,
  type RolloutJob,
  type RolloutRunner,
  type RunningAgent,
} from "../../../../emulator/index";
import type { Deployment, LogPage, Revision } from "../../answers";
import { creation, type Rig, start, stopAll } from "../client";
import { temporaryFolder } from "../folder";

/** An agent that responds with the ID of its revision and that the test can crash. */
class FakeAgent implements RunningAgent {
  origin = "";
  readonly exited: Promise<string>;
  #exit!: (reason: string) => void;
  #server!: Server;

  constructor(readonly revisionId: string) {
    this.exited = new Promise((resolve) => (this.#exit = resolve));
  }

  async start(): Promise<this> {
    this.#server = createServer((_request, response) => response.end(JSON.stringify(this.revisionId)));
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  crash(reason: string): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#exit(reason);
  }

  async stop(): Promise<void> {
    this.crash("asked to");
  }
}

class FakeRunner implements RolloutRunner {
  readonly agents: FakeAgent[] = [];
  readonly stopped: string[] = [];
  refuse: Error | undefined;

  async roll(job: RolloutJob, _report: unknown, signal: AbortSignal): Promise<RunningAgent> {
    if (job.sourceRevisionConfig.repo_ref === "hangs")
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    return this.#serve(job);
  }

  restart(job: RolloutJob): Promise<RunningAgent> {
    return this.#serve(job);
  }

  async #serve(job: RolloutJob): Promise<RunningAgent> {
    if (this.refuse) throw this.refuse;
    const agent = await new FakeAgent(job.revisionId).start();
    this.agents.push(agent);
    void agent.exited.then(() => this.stopped.push(agent.revisionId));
    return agent;
  }
}

async function rig(options: object = {}): Promise<Rig & { runner: FakeRunner; id: string; path: string }> {
  const runner = new FakeRunner();
  const base = await start({ runner, ...options });
  const { id } = (await base.client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  await base.clock.advance(1);
  return { ...base, runner, id, path: `/v2/deployments/${id}` };
}

/** Returns the response at the URL of the deployment: a revision ID or a failure. */
async function whoAnswers({ plane, id }: { plane: Rig["plane"]; id: string }): Promise<unknown> {
  const answer = await fetch(`${plane.baseUrl}/agents/${id}/info`, {
    headers: { "X-Api-Key": plane.apiKey },
  });
  const body = (await answer.json()) as { detail?: unknown };
  return answer.status === 200 ? body : [answer.status, body.detail];
}

afterEach(stopAll);

test("routes requests to the active revision, and stops the agent of the previous one", async () => {
  const all = await rig();
  const first = (await all.client.get<Deployment>(all.path)).body.active_revision_id;
  expect(await whoAnswers(all)).toBe(first);
  const { latest_revision_id: second } = (
    await all.client.patch<Deployment>(all.path, { source_revision_config: {} })
  ).body;
  await all.clock.advance(1);
  expect(await whoAnswers(all)).toBe(second);
  expect(all.runner.stopped).toEqual([first]);
});

test("keeps serving the previous revision after a failed rollout", async () => {
  const all = await rig();
  const first = await whoAnswers(all);
  all.runner.refuse = new RolloutFailure("BUILD_FAILED", "no such ref");
  const { latest_revision_id } = (
    await all.client.patch<Deployment>(all.path, { source_revision_config: {} })
  ).body;
  await all.clock.advance(1);
  expect(await whoAnswers(all)).toBe(first);
  expect((await all.client.get(`${all.path}/revisions/${latest_revision_id}`)).body).toMatchObject({
    status: "BUILD_FAILED",
    status_message: "no such ref",
  });
});

test("reports an unexpected error in a rollout as the reason for its failure", async () => {
  const all = await rig();
  all.runner.refuse = new Error("disk full");
  const { latest_revision_id } = (
    await all.client.patch<Deployment>(all.path, { source_revision_config: {} })
  ).body;
  await all.clock.advance(1);
  expect((await all.client.get(`${all.path}/revisions/${latest_revision_id}`)).body).toMatchObject({
    status: "BUILD_FAILED",
    status_message: "The rollout failed unexpectedly: disk full",
  });
  expect(all.faults).toEqual([all.runner.refuse]);
});

test("restarts an exited agent with increasing delays", async () => {
  const all = await rig();
  const revision = await whoAnswers(all);
  all.runner.agents[0]!.crash("it ran out of memory.");
  await all.clock.advance(999);
  expect(await whoAnswers(all)).toEqual([503, expect.stringContaining("it ran out of memory.")]);
  await all.clock.advance(1);
  expect(await whoAnswers(all)).toBe(revision);
  all.runner.agents[1]!.crash("again.");
  await all.clock.advance(1999);
  expect(await whoAnswers(all)).toEqual([503, expect.stringContaining("again.")]);
  await all.clock.advance(1);
  expect(await whoAnswers(all)).toBe(revision);
  const { body } = await all.client.get<LogPage>(
    `${all.path}/revisions/${String(revision)}/logs?type=deploy&level=ERROR`,
  );
  expect(body.logs.map(({ message }) => message)).toEqual([
    "The agent exited unexpectedly: it ran out of memory. It will be restarted in 1 s.",
    "The agent exited unexpectedly: again. It will be restarted in 2 s.",
  ]);
});

test("retries an agent that cannot be started", async () => {
  const all = await rig();
  const revision = await whoAnswers(all);
  all.runner.refuse = new Error("port gone");
  all.runner.agents[0]!.crash("gone.");
  await all.clock.advance(10_000);
  expect(await whoAnswers(all)).toEqual([503, expect.stringContaining("port gone")]);
  all.runner.refuse = undefined;
  await all.clock.advance(30_000);
  expect(await whoAnswers(all)).toBe(revision);
});

test("stops the agent of a deleted deployment permanently before the delete request returns", async () => {
  const all = await rig();
  await all.client.delete(all.path);
  expect(all.runner.stopped).toHaveLength(1);
  await all.clock.advance(60_000);
  expect(all.runner.agents).toHaveLength(1);
  expect(await whoAnswers(all)).toEqual([404, expect.stringContaining("not found")]);
});

test("aborts a rollout when its deployment is deleted", async () => {
  const all = await rig();
  await all.client.patch(all.path, { source_revision_config: { repo_ref: "hangs" } });
  expect((await all.client.delete(all.path)).status).toBe(204);
  expect(all.faults).toEqual([]);
});

test("serves active agents and resumes rollouts after a restart", async () => {
  const state = temporaryFolder();
  const before = await rig({ state });
  const first = await whoAnswers(before);
  const { latest_revision_id: second } = (
    await before.client.patch<Deployment>(before.path, { source_revision_config: { repo_ref: "hangs" } })
  ).body;
  await before.plane.close();
  expect(before.runner.stopped).toEqual([first]);

  const runner = new FakeRunner();
  const after = await start({ state, runner });
  await after.clock.advance(1);
  expect(after.plane.baseUrl).toBe(before.plane.baseUrl);
  expect(await whoAnswers({ plane: after.plane, id: before.id })).toBe(first);
  expect((await after.client.get<Revision>(`${before.path}/revisions/${second}`)).body.status).toBe(
    "CREATING",
  );
  expect(
    (await after.plane.admin.setStatus("agent", second, "DEPLOY_FAILED", "enough"), runner.agents),
  ).toHaveLength(1);
});

test("rejects a missing key, an unknown key, and a key of another organization", async () => {
  const runner = new FakeRunner();
  const { plane, client, clock } = await start({
    runner,
    organizations: [
      { name: "acme", apiKeys: ["acme-key"], tenants: ["acme-one"] },
      { name: "other", apiKeys: ["other-key"], tenants: ["other-one"] },
    ],
  });
  const { id } = (await client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  await clock.advance(1);
  const status = async (key?: string): Promise<number> =>
    (await fetch(`${plane.baseUrl}/agents/${id}/threads`, { headers: key ? { "X-Api-Key": key } : {} }))
      .status;
  expect([
    await status(),
    await status("wrong"),
    await status("other-key"),
    await status("acme-key"),
  ]).toEqual([401, 401, 403, 200]);
});
