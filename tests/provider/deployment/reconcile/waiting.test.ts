import { formatDuration } from "../../../../provider/text/duration";
import { agent, agentAt, World } from "../../world";

/** Deletes all deployments without Pulumi. */
async function deleteAll(world: World): Promise<void> {
  const { resources } = (await world.request("GET", "/v2/deployments")) as { resources: { id: string }[] };
  for (const { id } of resources) await world.request("DELETE", `/v2/deployments/${id}`);
}

test("treats unknown and waiting statuses as progress", async () => {
  const world = await World.start();
  const statuses = ["WARMING_UP", "SKIPPED", "INTERRUPTED", "UNKNOWN", "DEPLOYED"];
  world.admin.steer({ statuses, pace: { secondsPerStatus: 20 } });
  const stack = world.stack();
  expect((await stack.up(agent())).step).toBe("create");
  expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
  for (const status of statuses.slice(0, -1))
    expect(world.log.lines("status").join("\n")).toContain(`${status}, `);
});

describe("a rollout of more than 30 minutes", () => {
  async function timedOut() {
    const world = await World.start();
    world.admin.steer({ verdict: "never" });
    const stack = world.stack();
    const startedAt = world.clock.now();
    const up = await stack.up(agent());
    return { world, stack, failure: up.failure!, elapsedMs: world.clock.now() - startedAt };
  }

  test("fails after 30 minutes with its status, and stays in state", async () => {
    const { stack, failure, elapsedMs } = await timedOut();
    expect(elapsedMs).toBe(30 * 60_000);
    expect(failure.reasons).toEqual([
      `Revision ${stack.state.latestRevisionId} of deployment "support-agent" is still DEPLOYING after 30m, the limit of rollout.timeout (30m for the whole operation).`,
      expect.stringContaining("continue waiting for this revision"),
      expect.stringContaining(
        `npx agentserver logs support-agent --revision ${stack.state.latestRevisionId}`,
      ),
    ]);
    expect(stack.deploymentId).toBe(failure.id);
    expect(stack.state).not.toHaveProperty("settledRevision");
  });

  test("is resumed by the next update, which writes nothing", async () => {
    const { world, stack } = await timedOut();
    const { latestRevisionId } = stack.state;
    world.forget();
    world.admin.steer({ pace: { afterSeconds: 45 * 60 } });
    expect((await stack.up(agent())).step).toBe("update");
    expect(world.writes).toEqual([]);
    expect(stack.state.latestRevisionId).toBe(latestRevisionId);
    expect(stack.state.settledRevision).toMatchObject({ id: latestRevisionId, status: "DEPLOYED" });
    expect((await stack.up(agent())).step).toBe("same");
  });

  test("is followed by one new revision in the next update if it failed in the meantime", async () => {
    const { world, stack } = await timedOut();
    const { latestRevisionId } = stack.state;
    await world.admin.setStatus(stack.deploymentId, undefined, "DEPLOY_FAILED");
    world.admin.steer({ verdict: "DEPLOYED" });
    world.forget();
    expect((await stack.up(agent())).step).toBe("update");
    expect(world.writes.map(({ method, body }) => [method, body])).toEqual([
      ["PATCH", { source_revision_config: { repo_ref: "v1", graph_config_path: "langgraph.json" } }],
    ]);
    expect(stack.state.latestRevisionId).not.toBe(latestRevisionId);
  });

  test("causes no writes in the next update if it succeeded in the meantime", async () => {
    const { world, stack } = await timedOut();
    await world.admin.setStatus(stack.deploymentId, undefined, "DEPLOYED");
    world.forget();
    expect((await stack.up(agent())).step).toBe("update");
    expect(world.writes).toEqual([]);
    expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
    expect(stack.state.url).toContain(stack.deploymentId);
  });

  test("is not waited for when the program requests another ref", async () => {
    const { world, stack } = await timedOut();
    const { latestRevisionId } = stack.state;
    await world.admin.setStatus(stack.deploymentId, undefined, "INTERRUPTED");
    world.admin.steer({ verdict: "DEPLOYED" });
    world.forget();
    await stack.up(agentAt("v2"));
    expect(world.writes).toHaveLength(1);
    expect(stack.state.settledRevision?.id).not.toBe(latestRevisionId);
  });
});

test("uses rollout.timeout, then customTimeouts, then 30 minutes", async () => {
  const minutes = async (timeout: string | undefined, custom: string | undefined) => {
    const world = await World.start();
    world.admin.steer({ verdict: "never" });
    const stack = world.stack();
    if (custom) stack.call = { timeouts: { create: custom } };
    const startedAt = world.clock.now();
    const { failure } = await stack.up(agent({ rollout: { ...(timeout && { timeout }) } }));
    expect(failure!.reasons!.join()).toContain(
      `or increase ${!timeout && custom ? "customTimeouts" : "rollout.timeout"}.`,
    );
    return (world.clock.now() - startedAt) / 60_000;
  };
  expect(await minutes(undefined, undefined)).toBe(30);
  expect(await minutes(undefined, "7m")).toBe(7);
  expect(await minutes("3m", "7m")).toBe(3);
});

test("continues to wait after polls with transient failures", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 600 } });
  world.admin.fault({
    kind: "status",
    status: 503,
    method: "GET",
    path: "/v2/deployments/:id/revisions/:r",
    times: 30,
  });
  const stack = world.stack();
  expect((await stack.up(agent())).step).toBe("create");
  expect(
    world.admin.journal({ path: "/v2/deployments/:id/revisions/:r" }).filter(({ status }) => status === 503),
  ).toHaveLength(30);
});

test("ends the wait if the key is revoked, and keeps the deployment in state", async () => {
  const world = await World.start();
  world.admin.fault({ kind: "status", status: 401, method: "GET", path: "/v2/deployments/:id/revisions/:r" });
  const stack = world.stack();
  const { failure } = await stack.up(agent());
  expect(failure!.reasons!.join("\n")).toMatch(/was changed, but its rollout could not be monitored: .*401/);
  expect(stack.deploymentId).toBe(failure!.id);
  world.forget();
  expect((await stack.up(agent())).step).toBe("update");
  expect(world.writes).toEqual([]);
});

test("succeeds with a warning if the deployment cannot be read after its rollout", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ pace: { afterSeconds: 60 } });
  const unreadable = { kind: "status", status: 500, method: "GET", path: "/v2/deployments/:id" } as const;
  world.clock.after(50_000, () => world.admin.fault({ ...unreadable, times: 50 }));
  expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
  const { latestRevisionId } = stack.state;
  expect(world.log.lines("warning").join()).toMatch(
    new RegExp(
      `Revision ${latestRevisionId} is DEPLOYED, but deployment .* could not be read afterward: .*500`,
    ),
  );
  expect(stack.state).toMatchObject({
    settledRevision: { id: latestRevisionId, status: "DEPLOYED" },
    serving: { revisionId: latestRevisionId, sourceRevisionConfig: { repoRef: "v2" } },
  });
  world.admin.clearFaults();
  world.forget();
  expect((await stack.up(agentAt("v2"))).step).toBe("same");
});

test("accepts one failed read after a rollout", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const nonsense = {
    kind: "status",
    status: 200,
    method: "GET",
    path: "/v2/deployments/:id",
    body: [],
  } as const;
  world.admin.steer({ pace: { afterSeconds: 20 } });
  world.clock.after(10_000, () => world.admin.fault({ ...nonsense, times: 1 }));
  expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
  expect(world.log.lines("warning")).toEqual([]);
  expect(stack.state.serving?.revisionId).toBe(stack.state.latestRevisionId);
});

test("fails if the address of a created deployment cannot be read; the next update reads it", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 60 } });
  const stack = world.stack();
  const unreadable = { kind: "status", status: 500, method: "GET", path: "/v2/deployments/:id" } as const;
  world.clock.after(50_000, () => world.admin.fault({ ...unreadable, times: 50 }));
  const { failure } = await stack.up(agentAt("v2"));
  const { latestRevisionId } = stack.state;
  expect(failure!.reasons![0]).toMatch(
    new RegExp(
      `its revision ${latestRevisionId} is DEPLOYED, but the deployment could not be read afterward: .*500`,
    ),
  );
  world.admin.clearFaults();
  world.forget();
  expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
  expect(world.writes).toEqual([]);
  expect(stack.state.serving?.revisionId).toBe(latestRevisionId);
  expect(stack.state.url).toBeTruthy();
});

test.each(["interface", "langsmith"] as const)(
  "ends the wait for a deployment that others delete (%s dialect)",
  async (dialect) => {
    const world = await World.start({ dialect, lingerSeconds: 3_600 });
    const stack = await world.deployed();
    world.admin.steer({ verdict: "never" });
    const startedAt = world.clock.now();
    world.clock.after(60_000, () => void deleteAll(world));
    const { failure } = await stack.up(agentAt("v2"));
    expect(failure!.message).toMatch(
      /^Deployment "support-agent" \(\S+\) was deleted while revision \S+ was rolled out\. .*pulumi refresh/,
    );
    expect(world.clock.now() - startedAt).toBeLessThan(3 * 60_000);
    expect(await stack.refresh()).toBe(false);
  },
);

test("removes the deployment from state if others delete it during a create", async () => {
  const world = await World.start();
  world.admin.steer({ verdict: "never" });
  const stack = world.stack();
  world.clock.after(60_000, () => void deleteAll(world));
  const { failure } = await stack.up(agent());
  expect(failure!.message).toContain("was deleted while revision");
  expect(stack.id).toBeUndefined();
  world.admin.steer({});
  expect((await stack.up(agent())).step).toBe("create");
});

test("keeps its deadline even if a server requests long pauses", async () => {
  const world = await World.start();
  world.admin.steer({ verdict: "never" });
  world.admin.fault({
    kind: "status",
    status: 503,
    retryAfter: 3600,
    method: "GET",
    path: "/v2/deployments/:id/revisions/:r",
    times: 500,
  });
  const startedAt = world.clock.now();
  await world.stack().up(agent({ rollout: { timeout: "7m" } }));
  // The final read is repeated for a few seconds.
  expect(world.clock.now() - startedAt).toBeLessThan(7 * 60_000 + 10_000);
});

/** Returns the requests that read a single revision. */
const looksAt = (world: World) => world.admin.journal({ path: "/v2/deployments/:id/revisions/:r" });

test("bases polling on the durations of earlier rollouts, and shows the expected duration", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 300 } });
  const stack = world.stack();
  await stack.up(agent());
  for (const ref of ["v2", "v3", "v4", "v5"]) await stack.up(agentAt(ref));
  world.forget();

  // A new process has only the data of the control plane.
  stack.host = world.host();
  await stack.up(agentAt("v6"));

  expect(world.log.lines("status").join("\n")).toMatch(/[A-Z]+, \d+m?\d*s?, usually done after 5m[;\n]/);
  // Without a history, a local control plane would receive more than a hundred requests.
  expect(looksAt(world).length).toBeLessThan(50);
});

test("reports a rollout that takes longer than all earlier ones, and continues to poll", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 120 } });
  const stack = world.stack();
  await stack.up(agent());
  for (const ref of ["v2", "v3", "v4"]) await stack.up(agentAt(ref));
  world.forget();
  world.admin.steer({ pace: { afterSeconds: 900 } });
  const startedAt = world.clock.now();

  await stack.up(agentAt("v5"));

  expect(world.log.lines("status").join("\n")).toContain("longer than the usual 2m");
  expect(world.clock.now() - startedAt).toBeLessThan((900 + 30) * 1_000);
});

test("bases the expected duration of a first rollout on other first rollouts", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 240 } });
  for (const name of ["one", "two"]) await world.stack().up(agent({ name }));
  world.forget();

  await world.stack().up(agent({ name: "three" }));

  expect(world.log.lines("status").join("\n")).toContain("usually done after 4m");
});

test("shows how much of the timeout has elapsed if other deployments have different sources", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 240 } });
  for (const name of ["one", "two"])
    await world
      .stack()
      .up(agent({ name, sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "python/langgraph.json" } }));
  world.forget();

  await world.stack().up(agent({ name: "three" }));

  const lines = world.log.lines("status").join("\n");
  expect(lines).not.toContain("usual");
  expect(lines).toMatch(/[A-Z]+, 3m of 30m, poll \d+/);
});

test("does not use the durations of source changes for a rollout with only new triggers", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 300 } });
  const stack = world.stack();
  await stack.up(agent());
  for (const ref of ["v2", "v3"]) await stack.up(agentAt(ref));
  world.forget();
  stack.host = world.host();

  await stack.up({ ...agentAt("v3"), rollout: { triggers: ["again"] } });

  expect(world.log.lines("status").join("\n")).not.toContain("usual");
});

test("logs the durations of the phases as the control plane recorded them", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 300 } });
  const stack = world.stack();
  await stack.up(agent());

  const recorded = world.admin.statuses("support-agent");
  const phases = recorded
    .slice(0, -1)
    .map(({ status, at }, place) => `${status} ${formatDuration(recorded[place + 1]!.at - at)}`);
  expect(world.log.lines("info").join("\n")).toContain(`DEPLOYED after 5m (${phases.join(", ")})`);
});

test("ignores a history that cannot be read", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ pace: { afterSeconds: 60 } });
  const path = "/v2/deployments/:id/revisions";
  world.clock.after(2_000, () =>
    world.admin.fault({ kind: "status", status: 500, method: "GET", path, times: 20 }),
  );

  expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
});
