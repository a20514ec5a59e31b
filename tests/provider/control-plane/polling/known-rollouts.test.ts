import { VirtualClock, startControlPlane } from "../../../../emulator/index";
import { KnownRollouts } from "../../../../provider/control-plane/polling/known-rollouts";
import { AgentServerError } from "../../../../provider/errors";
import { Session } from "../../../../provider/session/session";
import type { RevisionRecord } from "../../../../wire";

const start = Date.UTC(2026, 0, 1);
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();

/** Returns a revision with this start time and duration, both in seconds. */
function revision(id: string, begin: number, took: number, status = "DEPLOYED"): RevisionRecord {
  return { id, status, created_at: at(begin), updated_at: at(begin + took) };
}

/** Returns a client for a server with these revisions, and a list of the deployment IDs that the client requests. */
function server(revisions: Record<string, RevisionRecord[]>) {
  const asked: string[] = [];
  const list = (id: string) => {
    asked.push(id);
    return Promise.resolve(revisions[id] ?? []);
  };
  return { asked, client: { revisions: { list } } as never };
}

const noOthers = () => Promise.resolve([]);
const seconds = ({ durations }: { durations: readonly number[] }) => durations.map((ms) => ms / 1_000);

test("reads a deployment's history and separates its first rollout from later ones", async () => {
  const known = new KnownRollouts();
  const { client } = server({
    d: [
      revision("r4", 4_000, 0, "BUILDING"),
      revision("r3", 3_000, 310),
      revision("r2b", 2_000, 40, "BUILD_FAILED"),
      revision("r2", 1_000, 290),
      revision("r1", 0, 700),
    ],
  });

  await known.requestHistory(client, { deploymentId: "d", revisionId: "r4", isFirst: false }, noOthers);

  expect(seconds(known.similarTo("d", false))).toEqual([310, 290]);
  expect(known.similarTo("d", false).failed).toBe(1);
  expect(seconds(known.similarTo("d", true))).toEqual([]);
});

test("ignores the duration of a record that was modified after its rollout", async () => {
  const known = new KnownRollouts();
  const touched = { ...revision("r2", 1_000, 290), updated_at: at(3_000) };
  const { client } = server({
    d: [revision("r4", 4_000, 0, "BUILDING"), revision("r3", 3_000, 310), touched, revision("r1", 0, 700)],
  });

  await known.requestHistory(client, { deploymentId: "d", revisionId: "r4", isFirst: false }, noOthers);

  expect(seconds(known.similarTo("d", false))).toEqual([310]);
});

test("uses three other deployments to estimate a first rollout", async () => {
  const known = new KnownRollouts();
  const { client, asked } = server({
    a: [revision("a2", 5_000, 100), revision("a1", 0, 600)],
    b: [revision("b1", 0, 620)],
    c: [revision("c1", 0, 610)],
    e: [revision("e1", 0, 1)],
  });

  const others = () => Promise.resolve(["d", "a", "b", "c", "e"].map((id) => ({ id })));
  await known.requestHistory(client, { deploymentId: "d", revisionId: "d1", isFirst: true }, others);

  expect(asked).toEqual(["a", "b", "c"]);
  expect(seconds(known.similarTo("d", true))).toEqual([600, 620, 610]);
});

test("sends at most four requests per process and shares their results", async () => {
  const known = new KnownRollouts();
  const { client, asked } = server({});
  for (const id of ["a", "b", "c", "d", "e", "f"])
    await known.requestHistory(client, { deploymentId: id, revisionId: "r", isFirst: false }, noOthers);
  expect(asked).toHaveLength(4);

  known.add({ deploymentId: "a", isFirst: false, ms: 60_000 });

  expect(seconds(known.similarTo("f", false))).toEqual([60]);
  known.add({ deploymentId: "f", isFirst: false, ms: 50_000 });
  expect(seconds(known.similarTo("f", false))).toEqual([50]);
});

test("counts only the time since a status started", () => {
  const known = new KnownRollouts();
  known.add({
    deploymentId: "a",
    isFirst: false,
    ms: 60_000,
    phases: [{ status: "DEPLOYING", afterMs: 45_000 }],
  });
  known.add({ deploymentId: "a", isFirst: false, ms: 70_000 });

  expect(seconds(known.similarTo("a", false, "DEPLOYING"))).toEqual([15]);
});

test("keeps the last 200 rollouts", () => {
  const known = new KnownRollouts();
  for (let ms = 1; ms <= 500; ms += 1) known.add({ deploymentId: "a", isFirst: false, ms });

  expect(known.similarTo("a", false).durations).toHaveLength(200);
  expect(known.similarTo("a", false).durations.at(-1)).toBe(500);
});

test("requests the history of other deployments even if one of them has been deleted", async () => {
  const known = new KnownRollouts();
  const list = (id: string) =>
    id === "a"
      ? Promise.reject(new AgentServerError("request_refused", "The deployment does not exist."))
      : Promise.resolve([revision(`${id}1`, 0, 600)]);
  const client = { revisions: { list } } as never;

  const others = () => Promise.resolve([{ id: "a" }, { id: "b" }]);
  await known.requestHistory(client, { deploymentId: "d", revisionId: "d1", isFirst: true }, others);

  expect(seconds(known.similarTo("d", true))).toEqual([600]);
});

test("continues without a history if the control plane does not respond", async () => {
  const clock = new VirtualClock();
  const plane = await startControlPlane({ clock });
  const session = new Session({
    config: () => undefined,
    env: {
      AGENTSERVER_BASE_URL: plane.baseUrl,
      AGENTSERVER_API_KEY: plane.apiKey,
      AGENTSERVER_TENANT_ID: plane.tenantId,
    },
    clock: { now: () => clock.now(), sleep: clock.advancingSleep },
    random: () => 0,
  });
  plane.admin.fault({ kind: "status", status: 500, method: "GET" });
  const known = new KnownRollouts();

  await known.requestHistory(
    session.client(),
    { deploymentId: "d", revisionId: "r", isFirst: false },
    noOthers,
  );

  expect(known.similarTo("d", false)).toEqual({ durations: [], failed: 0 });
  await plane.close();
});

test("delays a wait by at most five seconds if the list of deployments hangs", async () => {
  const patience = new AbortController();
  const timeout = jest.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  try {
    const known = new KnownRollouts();
    const { asked, client } = server({});
    const question = known.requestHistory(
      client,
      { deploymentId: "d", revisionId: "r", isFirst: true },
      () => new Promise(() => {}),
    );
    patience.abort(new DOMException("too slow", "TimeoutError"));
    await question;

    expect(timeout).toHaveBeenCalledWith(5_000);
    expect(asked).toEqual([]);
  } finally {
    timeout.mockRestore();
  }
});

describe("similar rollouts", () => {
  const [one, two, three] = ["1", "2", "3"].map((digit) => digit.repeat(40)) as [string, string, string];
  const at = (ref: string, path = "langgraph.json") => ({
    source_revision_config: { repo_ref: ref, graph_config_path: path },
  });

  test("includes rollouts of the deployment with the same kind of change", async () => {
    const known = new KnownRollouts();
    const { client } = server({
      d: [
        { ...revision("r6", 6_000, 0, "BUILDING"), ...at(three) },
        { ...revision("r5", 5_000, 50), ...at(two) },
        { ...revision("r4", 4_000, 300), ...at(two) },
        { ...revision("r3", 3_000, 40), ...at(one) },
        { ...revision("r2", 2_000, 320), ...at(one) },
        { ...revision("r1", 0, 700), ...at(two) },
      ],
    });

    await known.requestHistory(client, { deploymentId: "d", revisionId: "r6", isFirst: false }, noOthers);

    expect(known.similar("d", { change: "source" }).map((ms) => ms / 1_000)).toEqual([300, 320]);
    expect(known.similar("d", { change: "settings" }).map((ms) => ms / 1_000)).toEqual([50, 40]);
    expect(known.similar("d", {})).toEqual([]);
  });

  test("excludes rollouts with a different configuration path, because the language may differ", async () => {
    const known = new KnownRollouts();
    const { client } = server({
      d: [
        { ...revision("r5", 5_000, 0, "BUILDING"), ...at(three, "python/langgraph.json") },
        { ...revision("r4", 4_000, 300), ...at(two, "python/langgraph.json") },
        { ...revision("r3", 3_000, 301), ...at(one) },
        { ...revision("r2", 2_000, 302), ...at(two) },
        { ...revision("r1", 0, 700), ...at(one) },
      ],
    });

    await known.requestHistory(client, { deploymentId: "d", revisionId: "r5", isFirst: false }, noOthers);

    expect(known.similar("d", { change: "source" })).toEqual([]);
  });

  test("excludes revisions whose records contain no source", async () => {
    const known = new KnownRollouts();
    const { client } = server({
      d: [revision("r3", 2_000, 0, "BUILDING"), revision("r2", 1_000, 300), revision("r1", 0, 700)],
    });

    await known.requestHistory(client, { deploymentId: "d", revisionId: "r3", isFirst: false }, noOthers);

    expect(known.similar("d", { change: "source" })).toEqual([]);
    expect(known.similarTo("d", false).durations).toEqual([300_000]);
  });

  test("includes first rollouts of other deployments only if they have the same source", async () => {
    const known = new KnownRollouts();
    const { client } = server({
      python: [revision("p1", 0, 600)],
      javascript: [revision("j1", 0, 60)],
      unknown: [revision("u1", 0, 6)],
    });
    const others = () =>
      Promise.resolve([
        { id: "python", sourceId: "repository example.com/python langgraph.json" },
        { id: "javascript", sourceId: "repository example.com/javascript langgraph.json" },
        { id: "unknown" },
      ]);

    await known.requestHistory(client, { deploymentId: "d", revisionId: "d1", isFirst: true }, others);

    const awaited = { change: "first", sourceId: "repository example.com/python langgraph.json" } as const;
    expect(known.similar("d", awaited)).toEqual([600_000]);
    expect(known.similar("d", { change: "first" })).toEqual([]);
  });
});
