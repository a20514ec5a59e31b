import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DeploymentInputs, VerifyInputs } from "../../../../provider/deployment/inputs/inputs";
import { Core } from "../../../../provider/core/core";
import { deploymentKind } from "../../../../provider/deployment/kind";
import { SessionPool } from "../../../../provider/session/session-pool";
import { said } from "../../evaluated-agents";
import type { ServerLimits } from "../../server-limits";
import type { Stack } from "../../stack";
import { providerOf } from "../../test-host";
import { canary, type World } from "../../world";
import { cases, echo, evaluated, type Evaluation, questions, worldOf } from "./evaluation-world";

test("runs each case once with bounded concurrency, records the score, and deletes the threads", async () => {
  const { agents, world } = await worldOf();
  const stack = world.stack();
  const twelve = cases(...Array.from("abcdefghijkl"));
  const inputs = evaluated({ cases: [...twelve, ...cases("wrong")], concurrency: 3, pass: 0.9 });
  expect((await stack.up(inputs)).failure).toBeUndefined();
  expect(agents.started).toHaveLength(13);
  expect(agents.mostRunning).toBe(3);
  expect(agents.threads.size).toBe(0);
  expect(stack.state.verified.current?.verification).toEqual({
    ok: true,
    graph: "agent",
    run: false,
    evaluation: 0.923,
  });
  const progress = world.log.lines("status").join("\n");
  expect(progress).toMatch(/evaluation: 0 of 13 cases finished, 0 passed/);
  expect(world.log.lines("info").join("\n")).toContain(
    "12 of 13 cases passed in the evaluation (score 0.923)",
  );
  agents.started.length = 0;
  expect((await stack.up(inputs)).step).toBe("same");
  expect(agents.started).toEqual([]);
});

test("fails the rollout if the score is too low, and lists the worst cases", async () => {
  const { agents, world } = await worldOf();
  const stack = world.stack();
  const { failure } = await stack.up(evaluated({ cases: cases("a", "wrong 1", "fails"), pass: 0.5 }));
  expect(failure!.message).toMatch(
    /failed its verification after .*: in its evaluation, 1 of 3 cases passed: the score is 0\.3333, but at least 0\.5 is required/,
  );
  expect(failure!.reasons).toEqual(
    expect.arrayContaining([
      'Case cases[1] failed: none of its strings contains "answer wrong 1". Input: {"q":"wrong 1"}. Answer: "something else".',
      'Case cases[2] failed: the run ended with status error: Error: no model. Input: {"q":"fails"}. Answer: none.',
    ]),
  );
  expect(stack.state.settledRevision!.status).toBe("VERIFY_FAILED");
  expect(stack.state.verified).toEqual({ history: [] });
  expect(agents.threads.size).toBe(0);
});

test("compares the score to that of the previous revision", async () => {
  const { world } = await worldOf();
  const better: Evaluation = { cases: cases("a", "b"), pass: 0, noWorseThan: "previous" };
  const worse: Evaluation = { ...better, cases: cases("a", "wrong") };
  const stack = world.stack();
  expect((await stack.up(evaluated(better, "1"))).failure).toBeUndefined();
  expect(world.log.lines("info").join("\n")).toContain("because no previous revision has one");
  const { failure } = await stack.up(evaluated(worse, "2"));
  expect(failure!.message).toContain(
    "the score is 0.5, which is worse than 1, the score of the previous revision",
  );
  expect((await stack.up(evaluated(better, "3"))).failure).toBeUndefined();
});

test("does not change anything when only the evaluation changes", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(evaluated({ cases: cases("a") }));
  agents.started.length = 0;
  await stack.up(evaluated({ cases: cases("b") }));
  expect(world.writes).toEqual([]);
  expect(agents.started).toEqual([]);
});

test("retries after server errors, and never starts a run twice", async () => {
  const { agents, world } = await worldOf();
  agents.faults.push(
    { request: /POST \/threads$/, status: 500 },
    { request: /POST .*\/runs$/, status: 500 },
    { request: /POST .*\/runs$/, status: 429 },
    { request: /GET .*\/runs\/r-\d+$/, status: 503 },
    { request: /GET .*\/state$/, status: 502 },
    { request: /GET .*\/join$/, status: 500 },
    { request: /POST \/threads\/search$/, status: 501 },
    { request: /DELETE/, status: 500 },
  );
  const stack = world.stack();
  const inputs = evaluated({ cases: cases(...Array.from("abcd"), "fails"), pass: 0.8 });
  expect((await stack.up(inputs)).failure).toBeUndefined();
  expect(questions(agents)).toEqual([...Array.from("abcd"), "fails"]);
  expect(agents.faults).toEqual([]);
  expect(stack.state.verified.current?.verification.evaluation).toBe(0.8);
});

test("runs a case again if another client deletes its thread", async () => {
  const { agents, world } = await worldOf();
  let isDeleted = false;
  agents.run = (graph, input) => {
    if (!isDeleted) void Promise.resolve().then(() => agents.threads.clear());
    isDeleted = true;
    return echo(graph, input);
  };
  const stack = world.stack();
  expect((await stack.up(evaluated({ cases: cases("a") }))).failure).toBeUndefined();
  expect(questions(agents)).toEqual(["a", "a"]);
  expect(stack.state.verified.current?.verification.evaluation).toBe(1);
});

describe.each<["langsmith" | "interface", ServerLimits | undefined]>([
  ["langsmith", undefined],
  ["interface", undefined],
  ["langsmith", { hides: ["active_revision_id"] }],
])("another user's revision that starts to serve (%s, %j)", (dialect, limits) => {
  const onFailure = "rollback";
  const run = { input: { q: "a" }, expect: "answer a" };
  const smoke: VerifyInputs = { graph: "agent", run };
  const evaluation: VerifyInputs = {
    graph: "agent",
    evaluation: { cases: cases("a", "b"), concurrency: 1, pass: 0.5 },
  };
  test.each<[string, VerifyInputs, boolean]>([
    ["during the smoke run", smoke, true],
    ["during the evaluation", evaluation, true],
    ["during a failed smoke run", smoke, false],
    ["during a failed evaluation", evaluation, false],
  ])(
    "leaves the evaluated revision unverified, and is not rolled back, if it starts %s",
    async (_, verify, isCorrect) => {
      const { agents, world } = await worldOf(echo, dialect, limits);
      const stack = await world.deployed(evaluated({ cases: cases("z") }, "1", { onFailure }));
      const path = `/v2/deployments/${stack.deploymentId}`;
      const good = stack.state.latestRevisionId;
      let pushed: Promise<unknown> | undefined;
      agents.run = (graph, input: { q: string }) => {
        const body = {
          source_revision_config: { repo_ref: "f".repeat(40), graph_config_path: "langgraph.json" },
        };
        pushed ??= world.request("PATCH", path, body).then(() => world.clock.advance(60_000));
        return isCorrect ? echo(graph, input) : said("wrong");
      };
      agents.beforeResponse = () => pushed;
      const inputs = {
        ...evaluated({ cases: cases("z") }, "2"),
        rollout: { verify, onFailure },
      } as DeploymentInputs;
      const { failure } = await stack.up(inputs);
      expect(failure!.message).toMatch(
        /is DEPLOYED, but could not be verified .*: revision \S+, which this update did not create, began to serve requests during the checks/,
      );
      expect(failure!.reasons!.join("\n")).not.toMatch(/roll|Case /i);
      expect(world.writes.map(({ method }) => method)).toEqual(["PATCH", "PATCH"]);
      expect(stack.state.settledRevision!.status).toBe("VERIFY_FAILED");
      expect(stack.state.verified.history.map(({ revisionId }) => revisionId)).toEqual([good]);
      expect(agents.threads.size).toBe(0);
    },
  );
});

test("runs a case again if its run no longer exists but its thread does", async () => {
  const { agents, world } = await worldOf();
  agents.pollsPerRun = 3;
  agents.run = (graph, input) => {
    if (agents.started.length === 1)
      agents.beforeResponse = () => {
        for (const { runs } of agents.threads.values()) runs.length = 0;
        agents.beforeResponse = () => undefined;
        return undefined;
      };
    return echo(graph, input);
  };
  const stack = world.stack();
  expect((await stack.up(evaluated({ cases: cases("a") }))).failure).toBeUndefined();
  expect(questions(agents)).toEqual(["a", "a"]);
  expect(stack.state.verified.current?.verification.evaluation).toBe(1);
});

test("fails a case whose run does not end in time, even if an earlier update started it", async () => {
  const { agents, world } = await worldOf();
  agents.clock = world.clock;
  const stuck = { cases: cases("a", "stuck"), pass: 0.5, caseTimeout: "5m" };
  agents.run = (graph, input: { q: string }) =>
    input.q === "stuck" ? { status: "running" } : echo(graph, input);
  const stack = await world.deployed(evaluated(stuck, "1"));
  expect(stack.state.verified.current?.verification.evaluation).toBe(0.5);
  expect(agents.threads.size).toBe(0);
  const inputs = evaluated({ ...stuck, pass: 1 }, "2", { timeout: "4m" });
  expect((await stack.up(inputs)).failure!.message).toContain("not verified (The timeout of 4m expired");
  const { failure } = await stack.up(inputs);
  expect(failure!.reasons).toContain(
    'Case cases[1] failed: the run did not end within 5m. Input: {"q":"stuck"}. Answer: none.',
  );
  expect(questions(agents)).toEqual(["a", "a", "stuck", "stuck"]);
});

test("reports a missing graph with the verification's error, and runs no cases", async () => {
  const { agents, world } = await worldOf();
  agents.graphs = ["agent"];
  const { failure } = await world.stack().up(evaluated({ cases: cases("a"), graph: "agent-2" }));
  expect(failure!.message).toMatch(
    /failed its verification .*: the agent server has no assistant for the graph "agent-2"$/,
  );
  expect(agents.started).toEqual([]);
});

test("counts identical cases separately", async () => {
  const { agents, world } = await worldOf();
  await world.deployed(evaluated({ cases: cases("a", "a") }));
  expect(questions(agents)).toEqual(["a", "a"]);
});

test("continues after a timeout with the cases that have no result", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(evaluated({ cases: cases("z") }, "1"));
  agents.started.length = 0;
  agents.pollsPerRun = 1_000;
  const inputs = evaluated({ cases: cases("a", "b"), concurrency: 2 }, "2", {
    timeout: "3m",
    onFailure: "rollback",
  });
  const { failure } = await stack.up(inputs);
  expect(failure!.message).toMatch(
    /is DEPLOYED, but not verified \(The timeout of 3m expired, so the evaluation could not be completed: 0 of 2 cases/,
  );
  expect(agents.threads.size).toBe(2);
  agents.pollsPerRun = 1;
  world.forget();
  expect((await stack.up(inputs)).failure).toBeUndefined();
  expect(world.writes).toEqual([]);
  expect(questions(agents)).toEqual(["a", "b"]);
  expect(agents.threads.size).toBe(0);
});

test("ends when it is canceled, and continues in the next update", async () => {
  const { agents, world } = await worldOf();
  const cancel = new AbortController();
  agents.run = (graph, input: { q: string }) => {
    if (input.q === "b") cancel.abort(new Error("canceled"));
    return echo(graph, input);
  };
  const sessions = new SessionPool({ env: world.environment, clock: world.time, random: () => 0.5 });
  const core = new Core(deploymentKind(), { sessions, log: world.log });
  const call = { urn: world.stack().urn, timeouts: {}, faults: [] };
  const inputs = {
    values: { ...evaluated({ cases: cases("a", "b", "c"), concurrency: 1 }) },
    secretPaths: [],
  };
  const first = await core.create({ ...call, signal: cancel.signal }, inputs);
  expect(first.problem!.error.message).toContain("canceled");
  expect(questions(agents)).toEqual(["a", "b"]);
  const second = await core.update(first.id, call, { values: { ...first.state }, secretPaths: [] }, inputs);
  expect(second.problem).toBeUndefined();
  expect(questions(agents)).toEqual(["a", "b", "c"]);
  expect(agents.threads.size).toBe(0);
});

test("repeats only the cases whose threads were deleted before it was canceled", async () => {
  const { agents, world } = await worldOf();
  const cancel = new AbortController();
  agents.beforeResponse = () => {
    if (agents.deleted === 1) cancel.abort(new Error("canceled"));
    return undefined;
  };
  const sessions = new SessionPool({ env: world.environment, clock: world.time, random: () => 0.5 });
  const core = new Core(deploymentKind(), { sessions, log: world.log });
  const call = { urn: world.stack().urn, timeouts: {}, faults: [] };
  const inputs = {
    values: { ...evaluated({ cases: cases("a", "b", "c"), concurrency: 1 }) },
    secretPaths: [],
  };
  const first = await core.create({ ...call, signal: cancel.signal }, inputs);
  expect(agents.threads.size).toBe(2);
  await core.update(first.id, call, { values: { ...first.state }, secretPaths: [] }, inputs);
  expect(questions(agents)).toEqual(["a", "a", "b", "c"]);
  expect(agents.threads.size).toBe(0);
});

test("deletes the threads of an abandoned evaluation during the next evaluation", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(evaluated({ cases: cases("z") }, "1"));
  agents.pollsPerRun = 1_000;
  await stack.up(evaluated({ cases: cases("a") }, "2", { timeout: "3m" }));
  expect(agents.threads.size).toBe(1);
  agents.pollsPerRun = 1;
  expect((await stack.up(evaluated({ cases: cases("b") }, "3"))).failure).toBeUndefined();
  expect(agents.threads.size).toBe(0);
});

test("does not reveal secrets from the inputs or the deployment", async () => {
  const { world } = await worldOf((_graph, { q }: { q: string }) => said(`${q} ${canary}-model`));
  const stack = world.stack();
  stack.call = { secretPaths: ["rollout.verify.evaluation.cases"] };
  const { failure } = await stack.up(
    evaluated({
      cases: [{ id: `${canary}-id`, input: { q: `${canary}-question` }, expect: `${canary}-expected` }],
    }),
  );
  expect(failure!.reasons!.join("\n")).toContain('Input: {"q":"[secret]"}. Answer: "[secret] [secret]"');
});

test.each(["langsmith", "interface"] as const)(
  "does not reveal secrets that only the server has (%s)",
  async (dialect) => {
    const secret = `${canary}-server-only`;
    const { agents, world } = await worldOf(echo, dialect);
    const withoutSecrets = (evaluation: Evaluation, ref: string): DeploymentInputs => {
      const inputs = evaluated(evaluation, ref);
      delete inputs.secrets;
      return inputs;
    };
    const stack = await world.deployed(withoutSecrets({ cases: cases("z") }, "1"));
    const secrets = [{ name: "DATABASE", value: secret }];
    await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, { secrets });
    agents.run = (graph, { q }: { q: string }) =>
      graph === "judge" || q === "b" ? { error: `refused ${secret}` } : said(`my key is ${secret}`);
    const failed = await stack.up(withoutSecrets({ cases: cases("a", "b") }, "2"));
    expect(failed.failure!.reasons).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Answer: "my key is [secret]"'),
        expect.stringContaining("the run ended with status error: Error: refused [secret]."),
      ]),
    );
    const judge = { assistant: "judge" };
    const unjudged = await stack.up(withoutSecrets({ cases: [{ input: { q: "a" } }], judge }, "3"));
    expect(unjudged.failure!.message).toContain("its run ended with status error: Error: refused [secret].");
    const asked = withoutSecrets({ cases: cases("z") }, "4");
    asked.rollout = { verify: { graph: "agent", run: { input: { q: "a" }, expect: "answer a" } } };
    expect((await stack.up(asked)).failure!.message).toContain('The agent responded: "my key is [secret]"');
  },
);

describe("with a dataset", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "evaluation-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Returns a stack whose project is in the folder. */
  function stackOf(world: World): Stack {
    const sessions = new SessionPool({ env: world.environment, clock: world.time, random: () => 0.5 });
    const stack = world.stack();
    stack.host = providerOf(deploymentKind(), { sessions, log: world.log, workingFolder: folder });
    return stack;
  }

  test("rejects an invalid line before any request", async () => {
    writeFileSync(join(folder, "a.jsonl"), '{"input":{"q":"a"},"expects":"a"}');
    const { world } = await worldOf();
    const { checkFailures } = await stackOf(world).up(evaluated({ dataset: "a.jsonl" }));
    expect(checkFailures.map(({ property, reason }) => `${property} ${reason}`.trim())).toEqual([
      "rollout.verify.evaluation.dataset: a.jsonl line 1: expects is not a field; did you mean expect?",
    ]);
    expect(world.writes).toEqual([]);
  });

  test("keeps only the path in state, and uses a changed file in the next rollout", async () => {
    writeFileSync(join(folder, "a.jsonl"), '{"input":{"q":"a"},"expect":"a"}');
    const { agents, world } = await worldOf();
    const stack = stackOf(world);
    expect((await stack.up(evaluated({ dataset: "a.jsonl" }))).failure).toBeUndefined();
    expect(stack.state.rollout!.verify!.evaluation).toEqual({ dataset: "a.jsonl" });
    writeFileSync(join(folder, "a.jsonl"), '{"input":{"q":"b"},"expect":"b"}');
    expect((await stack.up(evaluated({ dataset: "a.jsonl" }))).step).toBe("same");
    await stack.up(evaluated({ dataset: "a.jsonl" }, "2"));
    expect(questions(agents)).toEqual(["a", "b"]);
  });
});
