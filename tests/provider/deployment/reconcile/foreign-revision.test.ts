import { DeploymentsClient } from "../../../../provider/control-plane/client/deployments";
import type { Stack } from "../../stack";
import { agent, agentAt, canary, World } from "../../world";

test("reports a newer foreign revision, and does not wait for it", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ deployment: "support-agent", verdict: "never", times: 1 });
  const theirs = world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
  const inputs = agent({ sourceConfig: { ...agent().sourceConfig, buildOnPush: true } });
  expect((await stack.up(inputs)).step).toBe("update");
  expect(world.log.lines("warning").join()).toContain(
    `Revision ${theirs} of deployment ${stack.id} is newer`,
  );
  expect(world.admin.journal({ path: `/v2/deployments/:id/revisions/${theirs}` })).toEqual([]);
  expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
});

test("waits for its own revision behind a foreign one", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const theirs = world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
  await stack.up(agentAt("v2"));
  expect(stack.state.latestRevisionId).not.toBe(theirs);
  expect(stack.state.settledRevision).toMatchObject({ id: stack.state.latestRevisionId, status: "DEPLOYED" });
  expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
});

test("reports a foreign revision created during its rollout, and does not wait for it", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ pace: { afterSeconds: 60 } });
  let theirs = "";
  world.clock.after(30_000, () => {
    theirs = world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
    world.admin.steer({ revisionId: theirs, verdict: "never" });
  });
  expect((await stack.up(agentAt("v2"))).step).toBe("update");
  expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
  expect(world.log.lines("warning").join()).toContain(`Revision ${theirs} of`);
});

test("records the source of its own rollout, and keeps it when a refresh stores a foreign one", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
  await stack.refresh();
  expect(stack.state.sourceRevisionConfig.repoRef).toBe("theirs");
  expect(stack.state.rolledOut?.artifact).toBe("v1");
});

test("keeps the source of its previous rollout when a rollout fails, but not when it times out", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  await stack.up(agentAt("v2"));
  expect(stack.state.rolledOut?.artifact).toBe("v1");
  world.admin.steer({ verdict: "never", times: 1 });
  await stack.up(agentAt("v3"));
  expect(stack.state.rolledOut?.artifact).toBe("v3");
});

test("records the last verified source when a rollout fails after its update has timed out", async () => {
  const [one, two] = ["1".repeat(40), "2".repeat(40)] as const;
  const rollout = { verify: { ok: false } };
  const world = await World.start();
  const stack = await world.deployed(agentAt(one, { rollout }));
  world.admin.steer({ pace: { afterSeconds: 3_600 }, verdict: "BUILD_FAILED", times: 1 });
  await stack.up(agentAt(two, { rollout }));
  expect(stack.state.rolledOut?.artifact).toBe(two);
  expect((await stack.up(agentAt(two, { rollout }))).failure?.message).toContain("BUILD_FAILED");
  expect(stack.state.rolledOut?.artifact).toBe(one);
});

test("waits for its own revision in each of two concurrent updates; one reports the other", async () => {
  const world = await World.start();
  const one = await world.deployed();
  const other = Object.assign(world.stack(), {
    urn: one.urn,
    id: one.id,
    inputs: one.inputs,
    outputs: one.outputs,
  });
  const ups = await Promise.all([one.up(agentAt("v2")), other.up(agentAt("v3"))]);
  expect(ups.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  const [first, second] = [one.state.latestRevisionId, other.state.latestRevisionId];
  expect(first).not.toBe(second);
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH", "PATCH"]);
  const shown = world.log.lines("warning").join("\n");
  expect([first, second].some((id) => shown.includes(`Revision ${id} of`))).toBe(true);
});

test("reports that its revision replaced a foreign one that was created after the read", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  let theirs: string | undefined;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- Applied to the client that the spy is called on.
  const { patch } = DeploymentsClient.prototype;
  const patched = jest.spyOn(DeploymentsClient.prototype, "patch");
  patched.mockImplementation(async function (this: DeploymentsClient, ...change) {
    theirs = world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
    return patch.apply(this, change);
  });
  expect(await stack.up(agentAt("v2"))).toEqual({ step: "update", checkFailures: [] });
  patched.mockRestore();
  expect(world.log.lines("warning")).toEqual([
    `Revision ${theirs} of deployment ${stack.id} was not created by this update, and revision ${stack.state.latestRevisionId} of this update replaced it.`,
  ]);
});

test.each([
  { theirs: { repo_ref: "2".repeat(40) }, built: "2222222", repoRef: "2".repeat(40) },
  { theirs: { graph_config_path: "other.json" }, built: "1111111 with other.json", repoRef: "1".repeat(40) },
])("does not list a revision built from $built as verified", async ({ theirs, built, repoRef }) => {
  const one = "1".repeat(40);
  const world = await World.start({ dialect: "langsmith" });
  const inputs = (value: string) =>
    agentAt(one, { rollout: { verify: { ok: false } }, secrets: { KEY: value } });
  const stack = await world.deployed(inputs("a"));
  // eslint-disable-next-line @typescript-eslint/unbound-method -- Applied to the client that the spy is called on.
  const { patch } = DeploymentsClient.prototype;
  const patched = jest.spyOn(DeploymentsClient.prototype, "patch");
  patched.mockImplementation(async function (this: DeploymentsClient, ...change) {
    world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: one, ...theirs } });
    return patch.apply(this, change);
  });
  await stack.up(inputs("b"));
  patched.mockRestore();
  expect(stack.state.serving).toMatchObject({
    revisionId: stack.state.latestRevisionId,
    sourceRevisionConfig: { repoRef },
  });
  expect(stack.state.verified.current).toBeUndefined();
  expect(stack.state.verified.history).toMatchObject([{ artifact: one, graphConfigPath: "langgraph.json" }]);
  expect(world.log.lines("warning").join()).toContain(
    `was built from ${built}, not from the source in the program`,
  );
});

test("writes nothing after a foreign revision (onConflict: fail)", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const theirs = world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
  const { failure } = await stack.up(agentAt("v2", { rollout: { onConflict: "fail" } }));
  expect(failure!.message).toContain(`Revision ${theirs} of deployment ${stack.id} is newer`);
  expect(failure!.message).toContain("nothing was changed");
  expect(failure!.id).toBeUndefined();
  expect(world.writes).toEqual([]);
});

test("does not replace a failed foreign revision of the same source (onConflict: fail)", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  const theirs = world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "v2" } });
  await world.clock.advance(60_000);
  world.forget();
  const strict = agentAt("v2", { rollout: { onConflict: "fail" } });
  const { failure } = await stack.up(strict);
  expect(failure!.message).toContain(`Revision ${theirs} of deployment ${stack.id} is newer`);
  expect(world.writes).toEqual([]);
  await stack.refresh();
  expect((await stack.up(strict)).failure).toBeUndefined();
  expect(world.writes).toHaveLength(1);
  expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
});

test.each([true, false])(
  "retries its own failed revision after a trigger change (onConflict: fail; is newest: %s)",
  async (isOnly) => {
    const world = await World.start();
    const strict = (trigger: number) => ({ rollout: { triggers: [trigger], onConflict: "fail" as const } });
    const stack = await world.deployed(agentAt("v1", strict(1)));
    const { inputs, outputs } = stack;
    world.admin.steer({ verdict: "BUILD_FAILED", times: isOnly ? 1 : 2 });
    await stack.up(agentAt("v2", strict(2)));
    Object.assign(stack, { inputs, outputs, incomplete: false });
    if (!isOnly) world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "v2" } });
    await world.clock.advance(60_000);
    world.forget();
    const { failure } = await stack.up(agentAt("v2", strict(2)));
    expect(failure?.message ?? "").toMatch(isOnly ? /^$/ : /is newer than the last revision/);
    expect(world.writes).toHaveLength(isOnly ? 1 : 0);
  },
);

test.each(["v2", "theirs"])(
  "waits for its own revision if the response names none and others push %s",
  async (repoRef) => {
    const world = await World.start();
    const stack = await world.deployed();
    let theirs: string | undefined;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- Applied to the client that the spy is called on.
    const { patch } = DeploymentsClient.prototype;
    const patched = jest.spyOn(DeploymentsClient.prototype, "patch");
    patched.mockImplementation(async function (this: DeploymentsClient, ...change) {
      await patch.apply(this, change);
      theirs = world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: repoRef } });
      return undefined;
    });
    expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
    patched.mockRestore();
    expect(theirs).toBeDefined();
    expect(stack.state.latestRevisionId).not.toBe(theirs);
    expect(stack.state.settledRevision?.id).not.toBe(theirs);
    expect(world.log.lines("warning").join()).toContain(
      `Revision ${theirs} of deployment ${stack.id} was not created by this update`,
    );
  },
);

test.each<Record<string, string>>([{}, { MODEL_KEY: `${canary}-other` }])(
  "reports when new secrets will take effect if others already rolled out the source: %j",
  async (changed) => {
    const world = await World.start();
    const stack = await world.deployed();
    world.admin.pushRevision(stack.deploymentId, {
      sourceRevisionConfig: { repo_ref: "v2", graph_config_path: "langgraph.json" },
    });
    await world.clock.advance(60_000);
    world.forget();
    const secrets = { ...agent().secrets, ...changed };
    expect((await stack.up(agentAt("v2", { secrets }))).failure).toBeUndefined();
    const isChanged = Object.keys(changed).length > 0;
    expect(world.writes.map(({ body }) => Object.keys(body as object))).toEqual(
      isChanged ? [["secrets"]] : [],
    );
    const warned = world.log.lines("warning").join();
    if (isChanged) expect(warned).toContain("changed secrets take effect with the next revision");
    else expect(warned).toBe("");
  },
);

test("does not need a new revision if others have rolled out the desired source after a failure", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  await stack.up(agentAt("v2"));
  const theirs = world.admin.pushRevision("support-agent");
  await world.clock.advance(60_000);
  world.forget();
  expect((await stack.up(agentAt("v2"))).step).toBe("update");
  expect(world.writes).toEqual([]);
  expect(stack.state.settledRevision).toMatchObject({ id: theirs, status: "DEPLOYED" });
  expect(stack.state.serving?.revisionId).toBe(theirs);
});

test("creates a new revision if others have rolled out a different source after a failure", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  await stack.up(agentAt("v2"));
  world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
  await world.clock.advance(60_000);
  world.forget();
  await stack.up(agentAt("v2"));
  expect(world.writes).toHaveLength(1);
  expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v2");
});

describe.each(["interface", "langsmith"] as const)(
  "a foreign revision with the desired source and another secret (%s dialect)",
  (dialect) => {
    const wanted = agentAt("b".repeat(40));

    async function pushed(world: World): Promise<{ stack: Stack; theirs: string }> {
      const stack = await world.deployed(agentAt("a".repeat(40)));
      const secrets = Object.entries({ ...agent().secrets, THEIRS: canary });
      world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
      const theirs = world.admin.pushRevision("support-agent", {
        sourceRevisionConfig: { repo_ref: "b".repeat(40) },
        secrets: secrets.map(([name, value]) => ({ name, value })),
      });
      return { stack, theirs };
    }

    test("is waited for if it is in progress, and its failure is reported", async () => {
      const world = await World.start({ dialect });
      const { stack, theirs } = await pushed(world);
      const { failure } = await stack.up(wanted);
      expect(failure!.message).toMatch(new RegExp(`Revision ${theirs} .*BUILD_FAILED`));
      expect(stack.state.settledRevision).toMatchObject({ id: theirs, status: "BUILD_FAILED" });
    });

    test("is followed by a new revision if it has already failed", async () => {
      const world = await World.start({ dialect });
      const { stack, theirs } = await pushed(world);
      await world.clock.advance(60_000);
      expect((await stack.up(wanted)).failure).toBeUndefined();
      expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOYED" });
      expect(stack.state.settledRevision!.id).not.toBe(theirs);
      expect(world.log.lines("info").join()).not.toContain("not sent again");
      world.forget();
      expect((await stack.up(wanted)).step).toBe("same");
    });
  },
);

test("does not treat the first revision as foreign, even if it is reported late", async () => {
  const world = await World.start();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- Applied to the client that the spy is called on.
  const { create } = DeploymentsClient.prototype;
  const created = jest.spyOn(DeploymentsClient.prototype, "create");
  created.mockImplementation(async function (this: DeploymentsClient, ...body) {
    return { ...(await create.apply(this, body)), latest_revision_id: undefined };
  });
  const stack = world.stack();
  const inputs = agent({ displayName: "Support", rollout: { onConflict: "fail" } });
  expect((await stack.up(inputs)).failure).toBeUndefined();
  created.mockRestore();
  expect(await world.record(stack)).toMatchObject({ display_name: "Support" });
});

test("does not resize after a push during a pause (onConflict: fail)", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const sized = (computeTier: string) =>
    agent({
      sourceConfig: { ...agent().sourceConfig, deploymentType: "dedicated" },
      computeTier,
      rollout: { onConflict: "fail" },
    });
  const stack = await world.deployed(sized("DEDICATED_M"));
  const path = "/v2/deployments/:id/resource-tiers";
  world.admin.fault({ kind: "status", status: 429, method: "PATCH", path, retryAfter: 30, times: 1 });
  let theirs = "";
  world.clock.after(5_000, () => {
    theirs = world.admin.pushRevision(stack.deploymentId, { sourceRevisionConfig: { repo_ref: "theirs" } });
  });
  const { failure } = await stack.up(sized("DEDICATED_L"));
  expect(failure!.message).toContain(`Revision ${theirs} of deployment ${stack.id} is newer`);
  expect(await world.record(stack)).toMatchObject({
    compute_tier: "DEDICATED_M",
    latest_revision_id: theirs,
  });
});

test.each(["interface", "langsmith"] as const)(
  "does not create a revision from a foreign source when only secrets change (%s dialect)",
  async (dialect) => {
    const world = await World.start({ dialect });
    const own = agentAt("a".repeat(40), { rollout: { onSecretChange: "revise" } });
    const stack = await world.deployed(own);
    const theirs = world.admin.pushRevision(stack.deploymentId, {
      sourceRevisionConfig: { repo_ref: "b".repeat(40), graph_config_path: "langgraph.json" },
    });
    await world.clock.advance(60_000);
    const changed = { ...own, secrets: { MODEL_KEY: `${canary}-other` } };
    expect((await stack.up(changed)).failure).toBeUndefined();
    expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("a".repeat(40));
    expect(world.log.lines("warning").join()).toContain(
      `Revision ${theirs} of deployment ${stack.id} is newer`,
    );
    world.forget();
    expect([(await stack.up(changed)).step, world.writes]).toEqual(["same", []]);
  },
);
