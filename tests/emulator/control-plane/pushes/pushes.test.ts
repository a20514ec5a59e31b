import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Deployment, LogPage, Resources, Revision } from "../../answers";
import { type ControlPlaneOptions, RolloutFailure, type RolloutRunner } from "../../../../emulator/index";
import { type Client, creation, type Rig, start, stopAll } from "../client";
import { temporaryFolder } from "../folder";

afterEach(stopAll);

/** A bare repository, and a clone that pushes to it. */
class Remote {
  readonly folder = join(temporaryFolder(), "agent.git");
  readonly url = pathToFileURL(this.folder).href;
  readonly #work = temporaryFolder();

  constructor() {
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", this.folder]);
    execFileSync("git", ["-C", this.folder, "config", "receive.denyDeleteCurrent", "ignore"]);
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("remote", "add", "origin", this.folder);
    this.push();
  }

  /** Pushes a new commit and returns its ID. */
  push(branch = "main"): string {
    this.git("commit", "--quiet", "--allow-empty", "--message", "Change");
    this.git("push", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
    return this.git("rev-parse", "HEAD");
  }

  git(...args: string[]): string {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
    return execFileSync("git", ["-C", this.#work, ...who, ...args], {
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  }
}

/** Simulates builds. Resolves refs to commits of the repository without building them. */
class CommitRunner implements RolloutRunner {
  readonly built: string[] = [];
  /** Promise that rollouts wait for, if there is one. */
  gate: Promise<void> | undefined;

  constructor(private readonly remote: Remote) {}

  async roll(...[job, report, signal]: Parameters<RolloutRunner["roll"]>): Promise<undefined> {
    const ref = job.sourceRevisionConfig.repo_ref!;
    let commit: string;
    try {
      const asked = ["-C", this.remote.folder, "rev-parse", "--verify", "--quiet", `${ref}^{commit}`];
      commit = job.resolvedCommit ?? execFileSync("git", asked, { encoding: "utf8" }).trim();
    } catch {
      throw new RolloutFailure("BUILD_FAILED", "no such ref");
    }
    report.resolvedCommit(commit);
    const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
    if (this.gate) await Promise.race([this.gate, stopped]);
    this.built.push(commit);
    return undefined;
  }

  async restart(): Promise<undefined> {
    return undefined;
  }
}

type PushRig = Rig & { remote: Remote; runner: CommitRunner; look(): Promise<string[]> };

async function rig(options: ControlPlaneOptions = {}, remote = new Remote()): Promise<PushRig> {
  const runner = new CommitRunner(remote);
  const base = await start({ runner, pushSeconds: 5, ...options });
  // Runs the same poll as the timer, and resolves when it is complete.
  return { ...base, remote, runner, look: () => base.plane.admin.notifyPush(remote.url, "main") };
}

async function deploy(
  { client, clock, remote }: PushRig,
  config: object = {},
  ref = "main",
): Promise<string> {
  const source_config = { repo_url: remote.url, build_on_push: true, ...config };
  const source_revision_config = { repo_ref: ref, graph_config_path: "langgraph.json" };
  const { body } = await client.post<Deployment>(
    "/v2/deployments",
    creation("agent", { source_config, source_revision_config }),
  );
  await clock.advance(1);
  return `/v2/deployments/${body.id}`;
}

async function commits(client: Client, path: string): Promise<(string | null)[]> {
  const { resources } = (await client.get<Resources<Revision>>(`${path}/revisions`)).body;
  return resources.map((one) => one.source_revision_config.repo_commit_sha);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("creates one revision for a push to the deployed branch", async () => {
  const all = await rig();
  const path = await deploy(all);
  const first = all.remote.git("rev-parse", "HEAD");
  expect(await all.look()).toEqual([]);
  const second = all.remote.push();
  const [made] = await all.look();
  await all.clock.advance(1);
  expect((await all.client.get(path)).body).toMatchObject({
    latest_revision_id: made,
    active_revision_id: made,
    source_revision_config: { repo_ref: "main", repo_commit_sha: second },
  });
  expect(await all.look()).toEqual([]);
  expect(await commits(all.client, path)).toEqual([second, first]);
  const { logs } = (await all.client.get<LogPage>(`${path}/revisions/${made}/logs`)).body;
  expect(logs[0]!.message).toBe(`Created by a push to main (commit ${second}).`);
});

test("polls repositories automatically", async () => {
  const all = await rig();
  const path = await deploy(all);
  await all.look();
  const second = all.remote.push();
  await until(async () => {
    await all.clock.advance(5000);
    return (await commits(all.client, path)).includes(second);
  });
  expect(await commits(all.client, path)).toHaveLength(2);
});

test("ignores pushes without build_on_push, even if it is enabled later", async () => {
  const all = await rig();
  const path = await deploy(all, { build_on_push: false });
  all.remote.push();
  expect(await all.look()).toEqual([]);
  await all.client.patch(path, { source_config: { build_on_push: true } });
  expect(await all.look()).toEqual([]);
  const third = all.remote.push();
  expect(await all.look()).toHaveLength(1);
  expect((await commits(all.client, path))[0]).toBe(third);
  await all.client.patch(path, { source_config: { build_on_push: false } });
  all.remote.push();
  expect(await all.look()).toEqual([]);
  await all.client.patch(path, { source_config: { build_on_push: true } });
  expect(await all.look()).toEqual([]);
  expect(await commits(all.client, path)).toHaveLength(2);
});

test("ignores tags, other branches, and branches that are created or deleted", async () => {
  const all = await rig();
  const path = await deploy(all);
  await all.look();
  all.remote.push("feature");
  all.remote.git("tag", "v1");
  all.remote.git("push", "--quiet", "origin", "v1");
  expect(await all.look()).toEqual([]);
  expect(await all.plane.admin.notifyPush(all.remote.url, "refs/tags/v1")).toEqual([]);
  expect(await all.plane.admin.notifyPush(all.remote.url, "feature")).toEqual([]);

  all.remote.git("push", "--quiet", "origin", "HEAD:refs/heads/other");
  all.remote.git("push", "--quiet", "--delete", "origin", "main");
  expect(await all.look()).toEqual([]);
  all.remote.push();
  expect(await all.look()).toEqual([]);
  all.remote.push();
  expect(await all.look()).toHaveLength(1);
  expect(await commits(all.client, path)).toHaveLength(2);
});

test("creates no revision for a deployment of a tag", async () => {
  const all = await rig();
  all.remote.git("tag", "v1");
  all.remote.git("push", "--quiet", "origin", "v1");
  const path = await deploy(all, {}, "refs/tags/v1");
  all.remote.push();
  expect(await all.look()).toEqual([]);
  expect(await commits(all.client, path)).toHaveLength(1);
});

test("detects a push after a repository was temporarily unreadable", async () => {
  const all = await rig();
  const path = await deploy(all);
  await all.look();
  const moved = `${all.remote.folder}.moved`;
  execFileSync("mv", [all.remote.folder, moved]);
  expect(await all.look()).toEqual([]);
  execFileSync("mv", [moved, all.remote.folder]);
  expect(await all.look()).toEqual([]);
  all.remote.push();
  expect(await all.look()).toHaveLength(1);
  expect(await commits(all.client, path)).toHaveLength(2);
  expect(all.faults).toEqual([]);
});

test("detects a push that happened while it was stopped", async () => {
  const state = temporaryFolder();
  const before = await rig({ state });
  const path = await deploy(before);
  await before.look();
  await before.plane.close();
  const second = before.remote.push();
  const after = await rig({ state }, before.remote);
  expect(await after.look()).toHaveLength(1);
  expect((await commits(after.client, path))[0]).toBe(second);
  expect(await after.look()).toEqual([]);
});

test("detects a push between the first build and the first poll", async () => {
  const all = await rig({ pushSeconds: 3600 });
  const path = await deploy(all);
  await until(async () => (await commits(all.client, path))[0] !== null);
  const second = all.remote.push();
  await all.look();
  expect((await commits(all.client, path))[0]).toBe(second);
  expect(await commits(all.client, path)).toHaveLength(2);
});

test("queues revisions for several pushes, and skips all but the last in the langsmith dialect", async () => {
  const all = await rig({ dialect: "langsmith" });
  let open!: () => void;
  all.runner.gate = new Promise((resolve) => (open = resolve));
  const source_config = { repo_url: all.remote.url, build_on_push: true };
  const source_revision_config = { repo_ref: "main", langgraph_config_path: "langgraph.json" };
  const { body } = await all.client.post<Deployment>(
    "/v2/deployments",
    creation("agent", { source_config, source_revision_config }),
  );
  const path = `/v2/deployments/${body.id}`;
  await all.clock.advance(1);
  await all.look();
  const pushed: string[] = [];
  for (let count = 0; count < 3; count++) {
    pushed.push(all.remote.push());
    expect(await all.look()).toHaveLength(1);
  }
  open();
  const statuses = async (): Promise<string[]> =>
    (await all.client.get<Resources<Revision>>(`${path}/revisions`)).body.resources.map((one) => one.status);
  await until(async () => (await statuses())[0] === "DEPLOYED");
  expect(await statuses()).toEqual(["DEPLOYED", "SKIPPED", "SKIPPED", "DEPLOYED"]);
  expect(all.runner.built.at(-1)).toBe(pushed[2]);
  expect((await all.client.get(path)).body).toMatchObject({
    source_config: { repo_branch: "main" },
    source_revision_config: { repo_ref: pushed[2] },
  });
});

describe("with simulated rollouts", () => {
  const repo_url = "https://user:secret@example.test/agent.git";
  const body = creation("agent", { source_config: { repo_url, build_on_push: true } });
  const commit = "0123456789abcdef0123456789abcdef01234567";

  test("creates a revision for a notification with or without a commit", async () => {
    const { client, plane } = await start();
    const { id, latest_revision_id } = (await client.post<Deployment>("/v2/deployments", body)).body;
    const [made] = await plane.admin.notifyPush("https://example.test/agent", "refs/heads/main");
    expect((await client.get<Deployment>(`/v2/deployments/${id}`)).body.latest_revision_id).toBe(made);
    expect(made).not.toBe(latest_revision_id);
    const [exact] = await plane.admin.notifyPush(repo_url, "main", commit);
    const path = `/v2/deployments/${id}/revisions`;
    expect((await client.get<Revision>(`${path}/${exact}`)).body.source_revision_config.repo_commit_sha).toBe(
      commit,
    );
    expect(await plane.admin.notifyPush(repo_url, "main", commit)).toEqual([]);
    expect(await plane.admin.notifyPush(repo_url, "other")).toEqual([]);
    expect(await plane.admin.notifyPush("https://example.test/else", "main")).toEqual([]);
    await client.patch(`/v2/deployments/${id}`, { source_config: { build_on_push: false } });
    expect(await plane.admin.notifyPush(repo_url, "main")).toEqual([]);
    expect((await client.get<Resources<Revision>>(path)).body.resources).toHaveLength(3);
  });

  test("accepts push notifications over HTTP", async () => {
    const { client } = await start({ admin: true });
    await client.post("/v2/deployments", body);
    const shown = await client.post("/admin/pushes", { repoUrl: repo_url, ref: "refs/heads/main", commit });
    expect(shown.body).toEqual({ revisionIds: [expect.any(String)] });
    expect((await client.post("/admin/pushes", { repoUrl: repo_url })).status).toBe(422);
  });

  test("ignores a deployment that is being deleted", async () => {
    const { client, plane } = await start({ lingerSeconds: 60 });
    const { id } = (await client.post<Deployment>("/v2/deployments", body)).body;
    await client.delete(`/v2/deployments/${id}`);
    expect(await plane.admin.notifyPush(repo_url, "main")).toEqual([]);
  });
});
