import { agent, agentAt, canary, World } from "../../world";

describe.each([
  ["CREATE_FAILED", " before the build"],
  ["BUILD_FAILED", " during the build"],
  ["DEPLOY_FAILED", " while starting the agent"],
  ["MIGRATION_FAILED_LATE", ""],
])("a rollout that ends with status %s", (verdict, phase) => {
  test("is reported with its reason, the end of its log, and advice, and stays in state", async () => {
    const world = await World.start();
    world.admin.steer({ verdict, reason: `cannot find module ${canary}-model` });
    const stack = world.stack();
    const { failure } = await stack.up(agent());
    const [headline, ...rest] = failure!.reasons!;
    expect(headline).toMatch(
      new RegExp(
        `^Revision ${stack.state.latestRevisionId} of deployment "support-agent" failed${phase} \\(${verdict}, after \\d+s\\): cannot find module \\[secret\\]$`,
      ),
    );
    const [now, where, ...tails] = rest;
    expect(now).toMatch(/^No revision of this deployment is serving requests\. .*run `pulumi up` again/);
    expect(tails.join("\n")).toMatch(
      /^Last lines of the (build|deploy) log:\n[^]* {2}cannot find module \[secret\](\n|$)/,
    );
    const { origin } = new URL(world.plane.baseUrl);
    const { latestRevisionId: revision } = stack.state;
    expect(where).toBe(
      `Page: ${origin}/#/deployments/${stack.id}/${revision}. Full log: \`npx agentserver logs support-agent --revision ${revision}${verdict === "BUILD_FAILED" ? " --build" : ""} --stack dev\`.`,
    );
    expect(failure!.message).toBe(headline);
    expect(stack.state.settledRevision).toMatchObject({ status: verdict });
    expect(stack.deploymentId).toBe(failure!.id);
  });

  test("is repaired by the next update with one revision and one PATCH for all changes", async () => {
    const world = await World.start();
    world.admin.steer({ verdict, times: 1 });
    const stack = world.stack();
    await stack.up(agent());
    const failed = stack.state.latestRevisionId;
    world.forget();
    const inputs = agent({ sourceConfig: { ...agent().sourceConfig, buildOnPush: true } });
    expect((await stack.up(inputs)).step).toBe("update");
    expect(world.writes.map(({ method, body }) => [method, body])).toEqual([
      [
        "PATCH",
        {
          source_config: { build_on_push: true },
          source_revision_config: { repo_ref: "v1", graph_config_path: "langgraph.json" },
        },
      ],
    ]);
    expect(stack.state.latestRevisionId).not.toBe(failed);
    expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
  });
});

test("names the earlier revision that is still active after a failed change", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const first = stack.state.latestRevisionId;
  world.admin.steer({ verdict: "BUILD_FAILED" });
  const { failure } = await stack.up(agentAt("v2"));
  expect(failure!.reasons![1]).toContain(`Revision ${first} is still serving requests.`);
  expect(stack.state.serving).toEqual({
    revisionId: first,
    sourceRevisionConfig: agent().sourceRevisionConfig,
  });
  expect(stack.state.sourceRevisionConfig.repoRef).toBe("v2");
});

test("redacts the deployment's unmanaged secrets", async () => {
  const world = await World.start();
  const { secrets: _, ...unmanaged } = agent();
  const stack = await world.deployed(unmanaged);
  const path = `/v2/deployments/${stack.id}`;
  await world.request("PATCH", path, { secrets: [{ name: "THEIRS", value: `${canary}-theirs` }] });
  const message = `uses ${canary}-theirs`;
  world.admin.steer({ verdict: "BUILD_FAILED", reason: message, logs: [{ type: "build", message }] });
  const { failure } = await stack.up({ ...agentAt("v2"), secrets: undefined });
  const printed = failure!.reasons!.join("\n");
  expect(printed).toContain("uses [secret]");
  expect(printed).not.toContain(canary);
});

test("shows both the build log and the runtime log if the agent was started", async () => {
  const world = await World.start();
  world.admin.steer({
    verdict: "MIGRATION_FAILED",
    reason: "no table",
    logs: [{ type: "build", message: "compiled 12 files" }],
  });
  const { failure } = await world.stack().up(agent());
  const printed = failure!.reasons!.join("\n");
  expect(printed).toContain("Last lines of the build log:\n  compiled 12 files");
  expect(printed).toContain("Last lines of the deploy log:\n  no table");
});

test("does not use the log of a successful build to explain a failed start", async () => {
  const world = await World.start();
  world.admin.steer({
    verdict: "DEPLOY_FAILED",
    reason: "it exited",
    logs: [
      { type: "build", message: "npm warn deprecated error-lib: fatal error in some browsers" },
      { type: "deploy", message: "TypeError: x is not a function" },
    ],
  });
  const { failure } = await world.stack().up(agent());
  const printed = failure!.reasons!.join("\n");
  expect(printed).toContain("First error in the log: TypeError: x is not a function");
  expect(printed).not.toContain("error-lib");
});

test("shows at most 40 lines of both logs together", async () => {
  const world = await World.start();
  const logs = ["build", "deploy"].flatMap((type) =>
    Array.from({ length: 60 }, (_, index) => ({
      type: type as "build" | "deploy",
      message: `said ${index}`,
    })),
  );
  world.admin.steer({ verdict: "MIGRATION_FAILED", logs });
  const { failure } = await world.stack().up(agent());
  expect(failure!.reasons!.join("\n").match(/^ {2}/gm)).toHaveLength(40);
});

test("omits health check requests from the end of the log", async () => {
  const world = await World.start();
  const logs = [
    { message: "info: \u25aa <-- GET /ok" },
    { message: "could not connect to the database" },
    { message: '127.0.0.1 - "GET /health HTTP/1.1" 200' },
    { message: "info: \u25aa --> GET /ok 200 1ms" },
    { message: "POST /threads/okay 500" },
  ];
  world.admin.steer({
    verdict: "DEPLOY_FAILED",
    logs: logs.map((log) => ({ ...log, type: "deploy" as const })),
  });
  const { failure } = await world.stack().up(agent());
  const printed = failure!.reasons!.join("\n");
  expect(printed).toContain("could not connect to the database");
  expect(printed).toContain("POST /threads/okay 500");
  expect(printed).not.toMatch(/\/ok\b|\/health/);
});

test("shows the end of a long log", async () => {
  const world = await World.start();
  const logs = Array.from({ length: 500 }, (_, index) => ({
    message: `line ${index + 1}.${"x".repeat(150)}`,
  }));
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "the last word", logs });
  const { failure } = await world.stack().up(agent());
  const printed = failure!.reasons!.join("\n");
  expect(printed).toContain("the last word");
  expect(printed).toContain("line 500.");
  expect(printed).not.toContain("line 450.");
});

test("reports that a server has no logs", async () => {
  const world = await World.start();
  world.admin.steer({ verdict: "BUILD_FAILED" });
  world.admin.fault({
    kind: "status",
    status: 404,
    path: "/v2/deployments/:id/revisions/:revision/logs",
    times: 9,
  });
  const { failure } = await world.stack().up(agent());
  expect(failure!.reasons).toContain("No log available from this server.");
});

test("reports the reason even if the deployment cannot be read afterward", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "no such branch" });
  world.clock.after(1, () =>
    world.admin.fault({ kind: "status", status: 503, method: "GET", path: "/v2/deployments/:id", times: 99 }),
  );
  const { failure } = await stack.up(agentAt("v2"));
  expect(failure!.reasons!.join()).toContain("failed during the build (BUILD_FAILED");
  expect(failure!.reasons!.join()).toContain("no such branch");
});

test("keeps the resource after a failed rollout with 100 kB of secrets, and then updates it", async () => {
  const secrets = { CERTIFICATES: canary.padEnd(100_000, "x"), MODEL_KEY: canary.padEnd(20, "x") };
  const inputs = agent({ secrets });
  const world = await World.start();
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "y".repeat(20_000), times: 1 });
  const stack = world.stack();
  const { failure } = await stack.up(inputs);
  expect(failure!.id).toBe(stack.deploymentId);
  expect(JSON.stringify([failure!.properties, failure!.reasons]).length).toBeLessThan(60_000);
  world.forget();
  expect((await stack.up(inputs)).step).toBe("update");
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
  expect(stack.state.secrets).toEqual(secrets);
  expect((await stack.up(inputs)).step).toBe("same");
});

describe("a revision that was pruned before it settled", () => {
  async function pruned() {
    const world = await World.start();
    const stack = await world.deployed();
    world.admin.steer({ pace: { afterSeconds: 90 }, times: 1 });
    await stack.up(agentAt("v2", { rollout: { timeout: "1m" } }));
    const { id } = stack.state.awaitedRevision!;
    const gone = { kind: "status", status: 404, method: "GET", detail: "Not found." } as const;
    world.admin.fault({ ...gone, path: `/v2/deployments/:id/revisions/${id}`, times: 99 });
    await world.clock.advance(60_000);
    world.forget();
    return { world, stack, id };
  }

  test("is treated as failed, so that the next update creates a new one", async () => {
    const { world, stack, id } = await pruned();
    expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
    expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
    expect(stack.state.settledRevision?.id).not.toBe(id);
  });

  test("is not treated as deployed in a refresh", async () => {
    const { stack } = await pruned();
    await stack.refresh();
    expect(stack.state).not.toHaveProperty("settledRevision");
    expect((await stack.preview(agentAt("v2"))).changes).toBe(true);
  });
});
