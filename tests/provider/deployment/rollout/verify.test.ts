import type { DeploymentInputs, VerifyInputs } from "../../../../provider/deployment/inputs/inputs";
import { scriptedAgents, type AgentScript } from "../../scripted-agent";
import { agent, canary, World } from "../../world";

const everything: VerifyInputs = {
  graph: "agent",
  run: { input: { messages: [{ content: "ping", role: "user" }] }, expect: "pong" },
};

function verified(verify: VerifyInputs = everything, repoRef = "v1", more: object = {}): DeploymentInputs {
  const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
  return agent({ sourceRevisionConfig, rollout: { verify, ...more } });
}

async function worldOf(script: Partial<AgentScript> = {}) {
  const agents = scriptedAgents(script);
  return { agents, world: await World.start({ runner: agents }) };
}

test("checks health, the graph, and one run on a thread that it deletes, and reports the result", async () => {
  const { agents, world } = await worldOf();
  const stack = world.stack();
  expect((await stack.up(verified())).failure).toBeUndefined();
  expect(agents.requests).toEqual([
    "GET /ok",
    'POST /assistants/search {"graph_id":"agent","limit":1}',
    "POST /threads {}",
    `POST /threads/T/runs {"assistant_id":"agent","input":${JSON.stringify(everything.run!.input)}}`,
    "GET /threads/T/runs/r",
    "GET /threads/T/runs/r",

    "GET /threads/T/state",
    "DELETE /threads/T",
  ]);
  expect(world.log.kept).toContain(
    `revision ${stack.state.latestRevisionId} is verified: the URL serves it (active_revision_id); GET /ok returns 200; graph "agent" exists; the smoke run succeeded`,
  );
  expect(stack.state.settledRevision!.status).toBe("DEPLOYED");
});

test("does not send further requests in the next preview and update", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified());
  agents.requests.length = 0;
  expect((await stack.up(verified())).step).toBe("same");
  const change = { ...verified(), sourceConfig: { ...verified().sourceConfig, buildOnPush: true } };
  expect((await stack.up(change)).step).toBe("update");
  expect(agents.requests).toEqual([]);
});

test("checks only what is configured", async () => {
  const { agents, world } = await worldOf({ ok: [500, 500, 500] });
  await world.deployed(verified({ ok: false, graph: "agent" }));
  expect(agents.requests.map((request) => request.split(" ")[1])).toEqual(["/assistants/search"]);
});

test("waits for a server that is starting", async () => {
  const { agents, world } = await worldOf({ ok: [503, 404, 502] });
  await world.deployed(verified({}));
  expect(agents.requests.filter((request) => request === "GET /ok").length).toBeGreaterThanOrEqual(4);
});

test.each<[string, AgentScript["starts"], number, string | undefined]>([
  ["finds the smoke run that was started if its response is lost", [500], 1, undefined],
  [
    "starts the smoke run again if a check finds that none was started",
    ["not taken", "not taken"],
    3,
    undefined,
  ],
  [
    "ends the verification if the smoke run can never be started",
    Array(9).fill("not taken"),
    3,
    "/runs returned 500",
  ],
])("%s", async (_, starts, sent, problem) => {
  const { agents, world } = await worldOf({ starts: [...starts] });
  const { failure } = await world.stack().up(verified());
  expect(agents.requests.filter((request) => request.startsWith("POST /threads/T/runs"))).toHaveLength(sent);
  if (problem === undefined) expect(failure).toBeUndefined();
  else expect(failure!.reasons![0]).toContain(problem);
  expect(agents.requests.at(-1)).toBe("DELETE /threads/T");
});

describe.each<[string, Partial<AgentScript>, RegExp]>([
  ["a server that never becomes healthy", { ok: Array<number>(500).fill(500) }, /GET \/ok returned 500/],
  ["a missing graph", { graphs: ["other"] }, /no assistant for the graph "agent"$/],
  [
    "a run that fails",
    { run: ["pending", "error"], error: { error: "TypeError", message: `bad ${canary}-model` } },
    /the run of graph "agent" ended with status error: TypeError: bad \[secret\]$/,
  ],
  ["a run that is interrupted", { run: ["interrupted"] }, /ended with status interrupted$/],
  [
    "a state that does not meet the expectation",
    { values: { messages: [{ content: "pang" }] } },
    /succeeded, but its state does not match the expected state: none of its strings contains "pong"\. The agent responded: "pang"$/,
  ],
])("%s", (_, script, problem) => {
  test("is reported as a failed rollout with its reason; the next update creates one revision", async () => {
    const { agents, world } = await worldOf(script);
    const stack = world.stack();
    const { failure } = await stack.up(verified());
    const revision = stack.state.latestRevisionId;
    expect(failure!.message).toMatch(
      new RegExp(
        `^Revision ${revision} of deployment "support-agent" is DEPLOYED, but failed its verification`,
      ),
    );
    expect(failure!.message).toMatch(problem);
    expect(stack.state.settledRevision).toMatchObject({ id: revision, status: "VERIFY_FAILED" });
    Object.assign(agents.script, scriptedAgents().script);
    world.forget();
    expect((await stack.up(verified())).failure).toBeUndefined();
    expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
    expect(stack.state.settledRevision!.status).toBe("DEPLOYED");
  });
});

test("does not reveal any part of a secret if an agent's message is shortened", async () => {
  const { agents, world } = await worldOf({ values: { text: `${"x".repeat(180)}${canary}-model!` } });
  const expecting = (text: string) =>
    verified({ graph: "agent", run: { input: {}, expect: { text } } }, text.slice(0, 1));
  const unmet = (await world.stack().up(expecting("y".repeat(300)))).failure!;
  expect(unmet.message).toMatch(
    /values\.text is "x+\[secret\]!", not "y+…\. The agent responded: \{"text":"x+\[secret\]!"\}$/,
  );
  Object.assign(agents.script, { ok: Array<number>(500).fill(500) });
  agents.script.detail = `${"x".repeat(990)} ${canary}-model ${"x".repeat(50)}`;
  const unwell = (await world.stack().up({ ...expecting("z"), name: "unwell" })).failure!;
  expect(unwell.reasons![0]).toMatch(/x \[secret\] …/);
});

test("reports retries of requests to the agent server in the status line", async () => {
  const { world } = await worldOf({ ok: [503] });
  await world.stack().up(verified({}));
  expect(world.log.lines("status").join("\n")).toMatch(/^retrying in 1s, GET \/ok returned 503/m);
});

test("does not roll back after a run that only timed out; the next update verifies again", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified(everything, "one", { onFailure: "rollback" }));
  agents.script.run = ["running"];
  const { failure } = await stack.up(verified(everything, "two", { onFailure: "rollback", timeout: "3m" }));
  expect(failure!.message).toMatch(
    /is DEPLOYED, but not verified \(the run of graph "agent" was still running/,
  );
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
  agents.script.run = ["success"];
  world.forget();
  const again = await stack.up(verified(everything, "two", { onFailure: "rollback", timeout: "3m" }));
  expect(again.failure).toBeUndefined();
  expect(world.writes).toEqual([]);
});

test("deletes the thread of a slow smoke run before the timeout expires", async () => {
  const { agents, world } = await worldOf({ run: ["running"] });
  const started = world.clock.now();
  const { failure } = await world.stack().up(verified(everything, "one", { timeout: "3m" }));

  expect(failure!.message).toContain('not verified (the run of graph "agent" was still running');
  expect(agents.requests.at(-1)).toBe("DELETE /threads/T");
  expect(world.clock.now() - started).toBeLessThanOrEqual(3 * 60_000);
});

test("does not treat a server that had too little time to start as a failed verification", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified({}, "one", { onFailure: "rollback" }));
  agents.script.ok = Array<number>(500).fill(503);
  const { failure } = await stack.up(verified({}, "two", { onFailure: "rollback", timeout: "1m" }));

  expect(failure!.message).toContain(
    "is DEPLOYED, but not verified (The timeout of 1m expired, so the verification could not be completed: GET /ok returned 503",
  );
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
  expect(stack.state.awaitedRevision).toEqual({ id: stack.state.latestRevisionId });
});

test.each<[string, VerifyInputs]>([
  ["before its graph is found", { graph: "agent" }],
  ["while its smoke run is in progress", everything],
])("reports as deleted, not as failed, a deployment that others delete %s", async (_, verify) => {
  const { agents, world } = await worldOf(
    verify.run ? { run: ["running"] } : { ok: Array<number>(500).fill(503) },
  );
  const stack = await world.deployed(verified({ ok: false }, "one"));
  let removed: Promise<unknown> | undefined;
  const remove = () => {
    if (agents.requests.some((request) => /runs|ok/.test(request)))
      removed = world.request("DELETE", `/v2/deployments/${stack.deploymentId}`);
    else world.clock.after(500, remove);
  };
  world.clock.after(500, remove);
  const { failure } = await stack.up(verified(verify, "two", { onFailure: "rollback" }));
  await removed;
  expect(failure!.message).toMatch(
    /^Deployment "support-agent" \(\S+\) was deleted while revision \S+ was rolled out\. .*pulumi refresh/,
  );
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH", "DELETE"]);
});

test("does not treat a rejected key as a failed verification", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified(everything, "one", { onFailure: "rollback" }));
  agents.script.ok = Array<number>(9).fill(401);
  const { failure } = await stack.up(verified(everything, "two", { onFailure: "rollback" }));
  expect(failure!.message).toContain("401");
  expect(failure!.reasons!.join("\n")).not.toMatch(/rolled back/i);
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
});

test("rolls back to the commit of the branch after a failed verification, if configured", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified(everything, "main", { onFailure: "rollback" }));
  agents.script.values = "something else";
  const { failure } = await stack.up(verified(everything, "next", { onFailure: "rollback" }));
  expect(failure!.reasons!.join("\n")).toMatch(
    /failed its verification[^]*Rolled back: [^]* is now serving requests\./,
  );
  expect(world.writes.at(-1)!.body).toEqual({
    source_revision_config: {
      repo_ref: "b28b7af69320201d1cf206ebf28373980add1451",
      graph_config_path: "langgraph.json",
    },
  });
});

test("does not roll back to a revision that failed its verification", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified(everything, "one"));
  const [good] = [stack.state.latestRevisionId];
  agents.script.values = "wrong";
  await stack.up(verified(everything, "two"));
  const bad = stack.state.latestRevisionId;
  agents.script.broken = ["three", "four"];
  await stack.up(verified(everything, "three"));
  expect(stack.state).toMatchObject({
    settledRevision: { status: "BUILD_FAILED" },
    goodRevisionId: good,
    unverifiedRevisionIds: [bad],
  });
  await stack.refresh();
  const { failure } = await stack.up(verified(everything, "four", { onFailure: "rollback" }));
  expect(failure!.reasons!.join("\n")).toContain(`with the source of revision ${good} is DEPLOYED`);
  Object.assign(agents.script, scriptedAgents().script);
  await stack.up(verified(everything, "five"));
  expect(stack.state.goodRevisionId).toBe(stack.state.settledRevision!.id);
});

test.each([
  ["is not waited for", { broken: ["three", "four"] }, { wait: false, verify: undefined }],
  ["takes too long", { run: ["running"], broken: ["four"] }, { timeout: "1m" }],
  ["is not verified", { broken: ["three", "four"] }, { verify: undefined }],
])("remembers a failed verification after a rollout that %s", async (_, script, rollout) => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified(everything, "one"));
  const good = stack.state.latestRevisionId;
  agents.script.values = "wrong";
  await stack.up(verified(everything, "two"));
  expect(stack.state.settledRevision!.status).toBe("VERIFY_FAILED");
  Object.assign(agents.script, script);
  await stack.up(verified(everything, "three", rollout));
  const { failure } = await stack.up(verified(everything, "four", { onFailure: "rollback" }));
  expect(failure!.reasons!.join("\n")).toContain(`with the source of revision ${good} is DEPLOYED`);
});

test("does not roll back to a revision whose smoke run timed out, until it passes", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified(everything, "one"));
  const good = stack.state.latestRevisionId;
  agents.script.run = ["running"];
  await stack.up(verified(everything, "two", { timeout: "1m" }));
  const slow = stack.state.latestRevisionId;
  expect(stack.state).toMatchObject({ awaitedRevision: { id: slow }, unverifiedRevisionIds: [slow] });
  agents.script.broken = ["three", "four"];
  const { failure } = await stack.up(verified(everything, "three", { onFailure: "rollback" }));
  expect(failure!.reasons!.join("\n")).toContain(`with the source of revision ${good} is DEPLOYED`);
});

test("does not roll back to a revision whose verification was interrupted", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified(everything, "one"));
  const good = stack.state.latestRevisionId;
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, {
    source_revision_config: { repo_ref: "two", graph_config_path: "langgraph.json" },
  });
  await world.clock.advance(60_000);
  agents.script.broken = ["three"];
  const { failure } = await stack.up(verified(everything, "three", { onFailure: "rollback" }));
  expect(failure!.reasons!.join("\n")).toContain(`with the source of revision ${good} is DEPLOYED`);
});

test("completes an interrupted verification in the next update, without a second revision", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified(everything, "one"));
  agents.requests.length = 0;
  // Simulates a provider that was killed after the change, so the existing revision is not in state.
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, {
    source_revision_config: { repo_ref: "two", graph_config_path: "langgraph.json" },
  });
  await world.clock.advance(60_000);
  world.forget();
  expect((await stack.up(verified(everything, "two"))).failure).toBeUndefined();
  expect(world.writes).toEqual([]);
  expect(agents.requests.at(-1)).toBe("DELETE /threads/T");
});

test.each([
  [{ verify: { run: { input: {} } } }, "rollout.verify.graph: is required if run is specified"],
  [{ verify: { graf: "agent" } }, "rollout.verify.graf: is not a field; did you mean graph?"],
  [
    { verify: {}, wait: false },
    "rollout.verify: requires rollout.wait, which waits for the result of the rollout",
  ],
  [{ verify: { graph: "agent", run: {} } }, "rollout.verify.run.input: is required"],
])("rejects %j in the input check", async (rollout, reason) => {
  const { world } = await worldOf();
  const { failures } = await world.stack().check({ ...agent(), rollout });
  expect(failures.map((failure) => failure.reason)).toEqual([reason]);
});
