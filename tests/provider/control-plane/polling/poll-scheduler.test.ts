import { VirtualClock } from "../../../../emulator/index";
import {
  PollScheduler,
  type PolledRevision,
} from "../../../../provider/control-plane/polling/poll-scheduler";
import { AgentServerError } from "../../../../provider/errors";
import type { DeploymentRecord } from "../../../../wire";

const hourMs = 3_600_000;

/** A workspace in virtual time, with its list of deployments and the times when the list was read. */
class Workspace {
  readonly clock = new VirtualClock(0);
  readonly lists: number[] = [];
  pages = 0;
  readonly rows = new Map<string, DeploymentRecord>();
  failure?: Error;
  /** True if requests for lists receive no response until they are aborted. */
  hangs = false;
  /** Duration of each request for a page, in milliseconds. */
  pageMs = 0;
  aborted = 0;
  readonly scheduler: PollScheduler;

  constructor(sleep?: (ms: number) => Promise<void>) {
    const time = { now: () => this.clock.now(), sleep: sleep ?? this.clock.advancingSleep };
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- A generator has no arrow form.
    const workspace = this;
    this.scheduler = new PollScheduler(time, async function* (signal) {
      workspace.lists.push(workspace.clock.now() / 1_000);
      signal.addEventListener("abort", () => (workspace.aborted += 1));
      if (workspace.hangs)
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("aborted"))),
        );
      await Promise.resolve();
      if (workspace.failure) throw workspace.failure;
      const rows = [...workspace.rows.values()];
      for (let from = 0; from < rows.length; from += 100) {
        workspace.pages += 1;
        if (workspace.pageMs > 0) await workspace.clock.sleep(workspace.pageMs);
        yield rows.slice(from, from + 100);
      }
    });
  }

  /** Registers a wait for the `new` revision of a deployment, with a fixed polling interval. */
  wait(deploymentId: string, everyMs: number, change: Partial<PolledRevision> = {}) {
    const watched: PolledRevision = {
      deploymentId,
      revisionId: "new",
      deadline: hourMs,
      nextPoll: () => this.clock.now() + everyMs,
      onUnchanged: () => {},
      ...change,
    };
    const waiting = this.scheduler.join(watched);
    return {
      /** Waits for its turn to poll. Resolves with the time, in seconds. */
      turn: async () => {
        await waiting.turn();
        return this.clock.now() / 1_000;
      },
    };
  }

  row(id: string, change: Partial<DeploymentRecord> = {}): void {
    this.rows.set(id, { id, active_revision_id: "old", latest_revision_id: "new", ...change });
  }
}

test("lets three waits poll individually, without a list", async () => {
  const workspace = new Workspace();
  const turns = ["a", "b", "c"].map((id, place) => workspace.wait(id, 1_000 * (place + 1)).turn());

  expect(await Promise.all(turns)).toEqual([1, 2, 3]);
  expect(workspace.lists).toEqual([]);
});

test("shares a list among many waits, and polls only for those with an active revision", async () => {
  const workspace = new Workspace();
  const ids = ["a", "b", "c", "d", "e"];
  for (const id of ids) workspace.row(id);
  workspace.clock.after(25_000, () => workspace.row("c", { active_revision_id: "new" }));
  const turns = ids.map((id) => workspace.wait(id, 10_000).turn());

  expect(await turns[2]).toBe(30);
  expect(workspace.lists).toEqual([10, 20, 30]);
});

test("lets a wait poll if its row has changed or no longer exists", async () => {
  const workspace = new Workspace();
  const ids = ["a", "b", "c", "d", "e"];
  for (const id of ids) workspace.row(id);
  workspace.clock.after(15_000, () => workspace.row("a", { status: "AWAITING_DELETE" }));
  workspace.clock.after(25_000, () => workspace.rows.delete("b"));
  const turns = ids.map((id) => workspace.wait(id, 10_000).turn());

  expect(await Promise.all(turns.slice(0, 2))).toEqual([20, 30]);
});

test("requests lists at least four seconds apart, regardless of how often waits poll", async () => {
  const workspace = new Workspace();
  const ids = ["a", "b", "c", "d", "e"];
  for (const id of ids) workspace.row(id);
  const turns = ids.map((id) => workspace.wait(id, 1_000, { deadline: 40_000 }).turn());

  await Promise.all(turns);

  expect(workspace.lists).toEqual([1, 5, 9, 13, 17, 21, 25, 29, 33, 37]);
});

test("lets one wait per list page poll individually if the list does not contain its revision", async () => {
  const workspace = new Workspace();
  const ids = ["a", "b", "c", "d", "e", "f", "g"];
  for (const id of ids) workspace.row(id);
  const turns = await Promise.all(
    ids
      .slice(0, 4)
      .map((id) => workspace.wait(id, 10_000).turn())
      .concat(
        // These waits cause the list to be requested.
        ids.slice(4).map((id) => workspace.wait(id, 10_000, { deadline: 130_000 }).turn()),
      ),
  );

  expect(turns.slice(0, 4)).toEqual([90, 100, 110, 120]);
});

test("stops requesting lists if they report no active revision or fail", async () => {
  for (const prepare of [
    (workspace: Workspace) => workspace.rows.forEach((row) => delete row.active_revision_id),
    (workspace: Workspace) => (workspace.failure = new AgentServerError("server_failed", "It answered 500.")),
  ]) {
    const workspace = new Workspace();
    const ids = ["a", "b", "c", "d", "e"];
    for (const id of ids) workspace.row(id);
    prepare(workspace);

    const turns = await Promise.all(ids.map((id) => workspace.wait(id, 10_000).turn()));

    expect(Math.max(...turns)).toBeLessThanOrEqual(20);
    expect(workspace.lists).toHaveLength(1);
  }
});

test("does not request a list of many pages for only a few waits", async () => {
  const workspace = new Workspace();
  for (let place = 0; place < 500; place += 1) workspace.row(`other-${place}`);
  const ids = ["a", "b", "c", "d", "e"];
  for (const id of ids) workspace.row(id);

  const turns = await Promise.all(ids.map((id) => workspace.wait(id, 10_000).turn()));

  expect(turns).toEqual([10, 10, 10, 10, 10]);
  expect(workspace.pages).toBe(3);
});

test("polls once for each wait at its deadline", async () => {
  const workspace = new Workspace();
  const ids = ["a", "b", "c", "d", "e"];
  for (const id of ids) workspace.row(id);
  const turns = ids.map((id, place) => workspace.wait(id, 60_000, { deadline: 5_000 * (place + 1) }).turn());

  expect(await Promise.all(turns)).toEqual([5, 10, 15, 20, 25]);
});

test("ends only the interrupted wait", async () => {
  const workspace = new Workspace();
  const abort = new AbortController();
  const ended = workspace.wait("a", 10_000, { signal: abort.signal }).turn();
  const other = workspace.wait("b", 10_000).turn();

  abort.abort(new Error("enough"));

  await expect(ended).rejects.toThrow("enough");
  expect(await other).toBe(10);
});

test("rejects all waits with the error of a failing clock", async () => {
  const workspace = new Workspace(() => Promise.reject(new Error("no time")));

  await expect(workspace.wait("a", 10_000).turn()).rejects.toThrow("no time");
});

test("uses a single timer for a thousand waits", async () => {
  let [timers, most] = [0, 0];
  const clock = new VirtualClock(0);
  const workspace = new Workspace(async (ms: number, signal?: AbortSignal) => {
    most = Math.max(most, (timers += 1));
    try {
      await workspace.clock.sleep(ms, signal);
    } finally {
      timers -= 1;
    }
  });
  const abort = new AbortController();
  const { signal } = abort;
  const turns = Array.from({ length: 1_000 }, (_, place) => {
    workspace.row(`d${place}`);
    return workspace
      .wait(`d${place}`, 10_000 - place, { signal })
      .turn()
      .catch(() => undefined);
  });
  for (let passed = 0; passed < 60; passed += 1) await workspace.clock.advance(1_000);
  abort.abort(new Error("enough"));
  await Promise.all(turns);

  // When an earlier timer replaces another one, both exist for a moment.
  expect(most).toBeLessThanOrEqual(1_001);
  expect(timers).toBe(0);
  expect(workspace.lists.length).toBeLessThanOrEqual(11);
  expect(clock.now()).toBe(0);
});

describe("a list that hangs", () => {
  function hanging(ids: readonly string[]) {
    const workspace = new Workspace();
    for (const id of ids) workspace.row(id);
    workspace.hangs = true;
    return workspace;
  }

  test("lets waits poll individually after five seconds, and is not requested again for a minute", async () => {
    const ids = ["a", "b", "c", "d", "e"];
    const workspace = hanging(ids);
    const turns = ids.map((id, place) => workspace.wait(id, 10_000 + 4_000 * place).turn());

    expect(await Promise.all(turns)).toEqual([15, 15, 18, 22, 26]);
    expect(workspace.lists).toEqual([10]);
    expect(workspace.aborted).toBe(1);
  });

  test("does not extend any wait beyond its deadline", async () => {
    const ids = ["a", "b", "c", "d", "e"];
    const workspace = hanging(ids);
    const turns = ids.map((id, place) =>
      workspace.wait(id, 10_000, { deadline: 11_000 + 1_000 * place }).turn(),
    );

    expect(await Promise.all(turns)).toEqual([11, 12, 13, 14, 15]);
  });

  test("is canceled with the last wait", async () => {
    const ids = ["a", "b", "c", "d"];
    const workspace = hanging(ids);
    const abort = new AbortController();
    const turns = ids.map((id) => workspace.wait(id, 1_000, { signal: abort.signal }).turn());
    workspace.clock.after(2_000, () => abort.abort(new Error("enough")));

    for (const turn of turns) await expect(turn).rejects.toThrow("enough");
    expect(workspace.aborted).toBe(1);
  });
});

test("does not cancel a list whose pages each take less than five seconds", async () => {
  const workspace = new Workspace();
  for (let place = 0; place < 150; place += 1) workspace.row(`other-${place}`);
  const ids = ["a", "b", "c", "d", "e"];
  for (const id of ids) workspace.row(id);
  workspace.row("e", { active_revision_id: "new" });
  workspace.pageMs = 4_000;
  const turns = ids.map((id) => workspace.wait(id, 10_000).turn());

  expect(await turns[4]).toBe(18);
  expect(workspace.aborted).toBe(0);
});
