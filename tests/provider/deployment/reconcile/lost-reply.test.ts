import { deploymentHost } from "../../deployment-host";
import type { FaultKind } from "../../../../emulator/index";
import type { EngineLog } from "../../../../provider/engine/log";
import { type Provider, Stack } from "../../stack";
import type { ServerLimits } from "../../server-limits";
import { agent, agentAt, canary, World } from "../../world";

/** Faults that lose the response after the server has processed the request. */
const lostReplies: [string, FaultKind][] = [
  ["connection reset after the change", { kind: "reset", when: "after" }],
  ["status 500 after the change", { kind: "status", status: 500, when: "after" }],
  ["truncated response", { kind: "truncate" }],
];

/** Faults that prevent the server from processing the request. */
const notCarriedOut: [string, FaultKind][] = [
  ["connection reset before the change", { kind: "reset", when: "before" }],
  ["status 502 before the change", { kind: "status", status: 502 }],
  ["status 429 with Retry-After", { kind: "status", status: 429, retryAfter: 7 }],
  ["status 503 with Retry-After", { kind: "status", status: 503, retryAfter: 7 }],
];

describe("a create", () => {
  test.each(lostReplies)(
    "does not create a second deployment if the response is lost (%s)",
    async (_name, fault) => {
      const world = await World.start();
      world.admin.fault({ ...fault, method: "POST" });
      const stack = world.stack();
      expect((await stack.up(agent())).step).toBe("create");
      expect(world.writes.map(({ method }) => method)).toEqual(["POST"]);
      expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
      expect((await stack.up(agent())).step).toBe("same");
    },
  );

  test.each(lostReplies)(
    "keeps its own deployment if the response is lost, even if adopt is never (%s)",
    async (_name, fault) => {
      const world = await World.start();
      world.admin.fault({ ...fault, method: "POST" });
      const stack = world.stack();
      expect((await stack.up(agent({ adopt: "never" }))).step).toBe("create");
      expect(world.writes.map(({ method }) => method)).toEqual(["POST"]);
    },
  );

  test("does not wait if only the check after a lost response returns a conflict", async () => {
    const world = await World.start();
    world.admin.fault({ kind: "reset", when: "before", method: "POST" });
    const detail = "A deployment named 'support-agent' already exists";
    const log: EngineLog = {
      status: (urn, line) => world.log.status(urn, line),
      write: (urn, severity, message) => {
        if (message.includes("was lost"))
          world.admin.fault({ kind: "status", status: 409, detail, method: "GET" });
        return world.log.write(urn, severity, message);
      },
    };
    const { failure } = await new Stack(world, world.host({}, log)).up(agent());
    expect(failure!.message).toMatch(/^GET .* returned 409/);
    expect(world.writes.map(({ method }) => method)).toEqual(["POST"]);
  });

  test("does not create a second deployment when the response is not JSON", async () => {
    const world = await World.start();
    world.admin.fault({ kind: "status", status: 201, when: "after", method: "POST", body: "<html>" });
    expect((await world.stack().up(agent())).step).toBe("create");
    expect(world.writes).toHaveLength(1);
  });

  test("reports a rollout that fails after a lost response, without creating a second revision", async () => {
    const world = await World.start();
    world.admin.steer({ verdict: "CREATE_FAILED", reason: "no such integration", pace: "at once" });
    world.admin.fault({ kind: "reset", when: "after", method: "POST" });
    const { failure } = await world.stack().up(agent());
    expect(failure!.reasons!.join()).toContain("no such integration");
    expect(world.writes.map(({ method }) => method)).toEqual(["POST"]);
  });

  test.each(notCarriedOut)(
    "sends the request again if the server did not process it (%s)",
    async (_name, fault) => {
      const world = await World.start();
      world.admin.fault({ ...fault, method: "POST" });
      const stack = world.stack();
      expect((await stack.up(agent())).step).toBe("create");
      expect(world.writes.map(({ status }) => status).at(-1)).toBe(201);
      expect(world.writes).toHaveLength(2);
      const [first, second] = world.writes.map(({ time }) => Date.parse(time));
      if ("retryAfter" in fault) expect(second! - first!).toBeGreaterThanOrEqual(7_000);
    },
  );

  test("stops after three attempts without a response or an effect", async () => {
    const world = await World.start();
    world.admin.fault({ kind: "reset", when: "before", method: "POST", times: 99 });
    const { failure } = await world.stack().up(agent());
    expect(failure!.message).toContain("received no response");
    expect(world.writes).toHaveLength(3);
  });

  test("does not repeat a rejected request", async () => {
    const world = await World.start();
    world.admin.fault({
      kind: "status",
      status: 400,
      method: "POST",
      detail: "no such integration",
      times: 9,
    });
    const { failure } = await world.stack().up(agent());
    expect(failure!.message).toContain("no such integration");
    expect(world.writes).toHaveLength(1);
  });
});

describe("a change", () => {
  test.each(lostReplies)(
    "creates exactly one revision if the response is lost (%s)",
    async (_name, fault) => {
      const world = await World.start();
      const stack = await world.deployed();
      world.admin.fault({ ...fault, method: "PATCH" });
      expect((await stack.up(agentAt("v2"))).step).toBe("update");
      expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
      expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
      expect(stack.state.settledRevision?.id).toBe(stack.state.latestRevisionId);
    },
  );

  test.each(notCarriedOut)(
    "sends the request again if the server did not process it (%s)",
    async (_name, fault) => {
      const world = await World.start();
      const stack = await world.deployed();
      world.admin.fault({ ...fault, method: "PATCH" });
      expect((await stack.up(agentAt("v2"))).step).toBe("update");
      expect(world.writes).toHaveLength(2);
      expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
    },
  );

  test("does not treat a foreign revision with a different source as its own", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    world.admin.fault({ kind: "status", status: 500, method: "PATCH" });
    const update = stack.up(agentAt("v2"));
    world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
    await update;
    expect(world.writes).toHaveLength(2);
    expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
  });

  test("reports a missing revision, which the next update creates", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    world.admin.fault({ kind: "status", status: 200, method: "PATCH", body: {}, times: 1 });
    const { failure } = await stack.up(agentAt("v2"));
    expect(failure!.reasons![0]).toContain("accepted the change to deployment");
    expect(failure!.reasons![0]).toContain("but no new revision was found");
    expect(world.writes).toHaveLength(1);
    expect((await stack.preview(agentAt("v2"))).changes).toBe(true);
    expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
    expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
    expect(world.writes).toHaveLength(2);
  });

  test("looks up the created revision if the response is empty", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    world.admin.fault({ kind: "status", status: 200, when: "after", method: "PATCH", body: {} });
    expect((await stack.up(agentAt("v2"))).step).toBe("update");
    expect(world.writes).toHaveLength(1);
    expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
  });

  test("does not create a second revision if looking up the first one fails after the change", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    world.admin.fault({ kind: "status", status: 200, when: "after", method: "PATCH", body: {} });
    const look = { kind: "status", method: "GET", path: "/v2/deployments/:id" } as const;
    world.admin.fault({ ...look, status: 200, body: await world.record(stack), times: 2 });
    world.admin.fault({ ...look, status: 503, times: 6 });
    const { failure } = await stack.up(agentAt("v2", { rollout: { onConflict: "fail" } }));
    expect(failure!.reasons!.join("\n")).toContain("could not be monitored");
    expect((await stack.up(agentAt("v2", { rollout: { onConflict: "fail" } }))).step).toBe("update");
    expect(world.writes).toHaveLength(1);
    expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
    expect(stack.state.settledRevision?.id).toBe(stack.state.latestRevisionId);
  });

  test("is recognized by the next update if the provider was killed before state was stored", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    const before = { inputs: stack.inputs, outputs: stack.outputs };
    await stack.up(agentAt("v2"));
    const made = stack.state.latestRevisionId;
    Object.assign(stack, before);
    world.forget();
    expect((await stack.up(agentAt("v2"))).step).toBe("update");
    expect(world.writes).toEqual([]);
    expect(stack.state.latestRevisionId).toBe(made);
  });
});

describe.each(["interface", "langsmith"] as const)(
  "a change with a delayed effect (%s dialect)",
  (dialect) => {
    /** Returns a provider with this response timeout, in milliseconds. */
    function hostOf(world: World, answerTimeoutMs?: number): Provider {
      const { environment: env, time: clock, log } = world;
      return deploymentHost({ env, clock, log, answerTimeoutMs });
    }

    async function start(late: NonNullable<ServerLimits["late"]>) {
      const limits: ServerLimits = {};
      const world = await World.start({ dialect }, limits);
      const stack = await world.deployed();
      limits.late = late;
      return { world, stack };
    }

    test.each([
      [504, 20_000],
      [504, 85_000],
      ["none", 40_000],
    ] as const)("creates only one revision (response: %s, effect after %d ms)", async (answer, afterMs) => {
      const { world, stack } = await start({ method: "PATCH", afterMs, answer });
      stack.host = hostOf(world, answer === "none" ? 1_500 : undefined);
      expect((await stack.up(agentAt("v2"))).step).toBe("update");
      await world.clock.advance(afterMs);
      await stack.refresh();
      expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
      expect(stack.state.settledRevision).toMatchObject({
        id: stack.state.latestRevisionId,
        status: "DEPLOYED",
      });
      expect((await stack.up(agentAt("v2"))).step).toBe("same");
    });

    test("is not sent again after the deadline, and is recognized by the next update", async () => {
      const { world, stack } = await start({ method: "PATCH", afterMs: 80_000, answer: 504 });
      const wanted = agentAt("v2", { rollout: { timeout: "1m" } });
      const startedAt = world.clock.now();
      expect((await stack.up(wanted)).failure!.message).toContain("returned 504");
      expect(world.clock.now() - startedAt).toBe(60_000);
      await world.clock.advance(30_000);
      expect((await stack.up(wanted)).failure).toBeUndefined();
      expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
      expect((await stack.up(wanted)).step).toBe("same");
    });
  },
);

describe("a change that creates no revision", () => {
  const changed = agent({ secrets: { MODEL_KEY: `${canary}-other` } });
  const lost = { kind: "reset", method: "PATCH", path: "/v2/deployments/:id" } as const;

  test("is not sent again if a check shows that it has taken effect", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    world.admin.fault({ ...lost, when: "after" });
    expect((await stack.up(changed)).step).toBe("update");
    expect(world.writes).toHaveLength(1);
  });

  test.each(["omitted", "names", "masked"] as const)(
    "is sent again if the server does not report secret values (secrets: %s)",
    async (secrets) => {
      const world = await World.start({}, { secrets });
      const stack = await world.deployed();
      world.admin.fault({ ...lost, when: "before" });
      expect((await stack.up(changed)).step).toBe("update");
      expect(world.writes).toHaveLength(2);
      expect(JSON.stringify(await world.record(stack))).toContain(`${canary}-other`);
    },
  );

  test("is sent again if the deployment lacks only its ownership tag", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    const path = `/v2/deployments/${stack.deploymentId}`;
    const tagged = (value: string | ValueMatcher) => [
      { name: "MODEL_KEY", value: `${canary}-model` },
      { name: "AGENTSERVER_OWNER", value },
    ];
    await world.request("PATCH", path, { secrets: tagged("3b241101-e2bb-4255-8caf-4136c566a962") });
    world.forget();
    world.admin.fault({ ...lost, when: "before" });
    expect((await stack.up(agent({ adopt: "always", rollout: { timeout: "20m" } }))).step).toBe("update");
    expect(world.writes).toHaveLength(2);
    expect(await world.record(stack)).toMatchObject({
      secrets: tagged(expect.stringMatching(`^${stack.state.ownerId}/1/`)),
    });
  });
});

describe.each(["interface", "langsmith"] as const)(
  "a resource on a server with short pages (%s dialect)",
  (dialect) => {
    /** Returns the IDs of all revisions, newest first, bypassing the limits of the server. */
    async function revisionsOf(world: World, stack: Stack): Promise<string[]> {
      const list = await world.request("GET", `/v2/deployments/${stack.deploymentId}/revisions?limit=100`);
      return (list as { resources: { id: string }[] }).resources.map(({ id }) => id);
    }

    test("reads all later revisions after a lost response, and uses the oldest as its own", async () => {
      const world = await World.start({ dialect }, { pageCap: 2 });
      const stack = await world.deployed();
      const first = stack.state.latestRevisionId;
      const path = "/v2/deployments/:id";
      world.admin.fault({ kind: "reset", when: "after", method: "PATCH", path, times: 1 });
      const theirs: string[] = [];
      world.clock.after(1_000, () => {
        for (let push = 0; push < 5; push += 1) theirs.push(world.admin.pushRevision(stack.deploymentId));
      });
      await stack.up(agentAt("v2", { rollout: { wait: false } }));
      const [ours, ...others] = (await revisionsOf(world, stack)).filter(
        (id) => ![first, ...theirs].includes(id),
      );
      expect(others).toEqual([]);
      expect(stack.state.awaitedRevision).toEqual({ id: ours });
      expect(world.writes.filter(({ method }) => method === "PATCH")).toHaveLength(1);
    });

    test("does not treat an old revision of the same source as the result of a lost request", async () => {
      const world = await World.start({ dialect }, { pageCap: 2 });
      const stack = await world.deployed(agentAt("v2"));
      for (const ref of ["v3", "v4", "v5"]) await stack.up(agentAt(ref));
      world.admin.fault({
        kind: "reset",
        when: "before",
        method: "PATCH",
        path: "/v2/deployments/:id",
        times: 1,
      });
      expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
      const [newest] = await revisionsOf(world, stack);
      expect(stack.state.settledRevision).toMatchObject({ id: newest, status: "DEPLOYED" });
    });

    test("finds the last good revision for a rollback on a later page", async () => {
      const world = await World.start({ dialect }, { pageCap: 2 });
      const stack = await world.deployed(agentAt("a".repeat(40)));
      const good = stack.state.latestRevisionId;
      world.admin.steer({ verdict: "BUILD_FAILED", times: 4 });
      for (const ref of ["b", "c", "d"]) await stack.up(agentAt(ref.repeat(40)));
      const { failure } = await stack.up(agentAt("e".repeat(40), { rollout: { onFailure: "rollback" } }));
      expect(failure!.reasons!.join()).toContain(`with the source of revision ${good} is DEPLOYED`);
    });
  },
);
