import { killedAt } from "../../killed";
import type { Stack } from "../../stack";
import type { ServerLimits } from "../../server-limits";
import { agent, World } from "../../world";
import { immutableSource } from "../../../../provider/deployment/rollout/rollback";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";

const commits = ["a".repeat(40), "b".repeat(40)] as const;

/** Returns the inputs for a commit. A failed rollout is rolled back. */
function agentOf(repoRef: string, more: Partial<DeploymentInputs> = {}): DeploymentInputs {
  const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
  return { ...agent(), sourceRevisionConfig, rollout: { onFailure: "rollback" }, ...more };
}

/** Creates a good revision from the first commit, and then a failed revision from the second commit. */
async function failedAfterGood(world: World) {
  const stack = await world.deployed(agentOf(commits[0]));
  const good = stack.state.latestRevisionId;
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "no such module", times: 1 });
  const { failure } = await stack.up(agentOf(commits[1]));
  return { stack, good, failure: failure! };
}

async function revisionsOf(world: World, stack: Stack) {
  const list = await world.request("GET", `/v2/deployments/${stack.deploymentId}/revisions`);
  return (list as { resources: { id: string }[] }).resources;
}

describe.each(["interface", "langsmith"] as const)(
  "the rollback of a failed rollout (%s dialect)",
  (dialect) => {
    test("restores the last good source, and reports the failure and the rollback", async () => {
      const world = await World.start({ dialect });
      const { stack, good, failure } = await failedAfterGood(world);
      const failed = stack.state.settledRevision!.id;
      const now = stack.state.latestRevisionId;
      expect(new Set([good, failed, now]).size).toBe(3);
      expect(failure.reasons![0]).toMatch(
        `Revision ${failed} of deployment "support-agent" failed during the build (BUILD_FAILED`,
      );
      expect(failure.reasons).toContain(
        `Rolled back: revision ${now} with the source of revision ${good} is DEPLOYED.`,
      );
      expect(failure.reasons![2]).toContain(`Revision ${now} is now serving requests.`);
      const column = world.log.lines("status");
      const rolledBack = column.slice(column.findIndex((line) => line.includes("rollback")));
      expect(rolledBack.length).toBeGreaterThan(2);
      for (const line of rolledBack) expect(line).toMatch(`rollback to ${good.slice(0, 8)}: `);
      const wanted = dialect === "interface" ? "PATCH" : "POST";
      expect(world.writes.map(({ method }) => method)).toEqual(["PATCH", wanted]);
      expect(await revisionsOf(world, stack)).toHaveLength(3);
    });

    test("stores the desired and the active source, and the next update creates one revision", async () => {
      const world = await World.start({ dialect });
      const { stack } = await failedAfterGood(world);
      expect(stack.state.sourceRevisionConfig.repoRef).toBe(commits[1]);
      expect(stack.state.serving).toMatchObject({
        revisionId: stack.state.latestRevisionId,
        sourceRevisionConfig: { repoRef: commits[0] },
      });
      expect(stack.state.settledRevision!.status).toBe("BUILD_FAILED");
      expect((await stack.preview(agentOf(commits[1]))).changes).toBe(true);
      expect(JSON.stringify(world.log.said)).toContain("needs a new revision: the last rollout failed");
      world.forget();
      const { step, failure } = await stack.up(agentOf(commits[1]));
      expect([step, failure]).toEqual(["update", undefined]);
      expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
      expect(stack.state.serving!.sourceRevisionConfig.repoRef).toBe(commits[1]);
      expect((await stack.preview(agentOf(commits[1]))).changes).toBe(false);
      expect(JSON.stringify(world.log.said)).not.toContain("was not created by");
    });

    test("keeps the pending change across a refresh", async () => {
      const world = await World.start({ dialect });
      const { stack } = await failedAfterGood(world);
      await stack.refresh();
      expect((await stack.preview(agentOf(commits[1]))).changes).toBe(true);
      world.forget();
      expect((await stack.up(agentOf(commits[1]))).failure).toBeUndefined();
      expect(world.writes).toHaveLength(1);
    });

    test("reports that a create has no earlier revision", async () => {
      const world = await World.start({ dialect });
      world.admin.steer({ verdict: "DEPLOY_FAILED" });
      const { failure } = await world.stack().up(agentOf(commits[0]));
      expect(failure!.reasons).toContain(
        "Not rolled back: the deployment has no earlier successful revision.",
      );
      expect(world.writes).toHaveLength(1);
    });

    test("keeps a newer foreign revision", async () => {
      const world = await World.start({ dialect });
      const stack = await world.deployed(agentOf(commits[0]));
      world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
      world.clock.after(100, () => world.admin.pushRevision(stack.deploymentId));
      const { failure } = await stack.up(agentOf(commits[1]));
      expect(failure!.reasons!.join("\n")).toMatch(
        /Not rolled back: revision .* is newer and was not created/,
      );
      expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
    });

    test("does not replace a revision that others create during a pause before the rollback", async () => {
      const world = await World.start({ dialect });
      const stack = await world.deployed(agentOf(commits[0]));
      world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
      let theirs = "";
      // The pause of 20 seconds begins before the other revision is created.
      world.clock.after(1, () => {
        for (const method of ["PATCH", "POST"])
          world.admin.fault({ kind: "status", status: 429, method, retryAfter: 20, times: 1 });
        world.clock.after(15_000, () => {
          theirs = world.admin.pushRevision(stack.deploymentId, {
            sourceRevisionConfig: { repo_ref: "theirs" },
          });
        });
      });
      const { failure } = await stack.up(agentOf(commits[1]));
      expect(failure!.reasons).toContain(
        `Not rolled back: revision ${theirs} is newer and was not created by this update.`,
      );
      expect(await world.record(stack)).toMatchObject({ latest_revision_id: theirs });
    });

    test("does not create a second revision if the response to the rollback is lost", async () => {
      const world = await World.start({ dialect });
      const stack = await world.deployed(agentOf(commits[0]));
      world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
      const path =
        dialect === "interface" ? "/v2/deployments/:id" : "/v2/deployments/:id/revisions/:revision/redeploy";
      const method = dialect === "interface" ? "PATCH" : "POST";
      world.clock.after(1, () => world.admin.fault({ kind: "reset", when: "after", method, path, times: 1 }));
      const { failure } = await stack.up(agentOf(commits[1]));
      expect(failure!.reasons!.join("\n")).toContain("Rolled back: ");
      expect(await revisionsOf(world, stack)).toHaveLength(3);
    });

    test("reports a rollback that also fails", async () => {
      const world = await World.start({ dialect });
      const stack = await world.deployed(agentOf(commits[0]));
      world.admin.steer({ verdict: "BUILD_FAILED", times: 2 });
      const { failure } = await stack.up(agentOf(commits[1]));
      expect(failure!.reasons!.join("\n")).toMatch(/The rollback failed: revision \S+ with the source of/);
    });
  },
);

test("reports the reason if a rollback is not possible", async () => {
  const world = await World.start();
  const stack = await world.deployed(agentOf(commits[0]));
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  world.clock.after(1, () =>
    world.admin.fault({ kind: "status", status: 503, method: "GET", path: "/v2/deployments/:id", times: 99 }),
  );
  const { failure } = await stack.up(agentOf(commits[1]));
  expect(failure!.reasons!.join("\n")).toMatch(/^Not rolled back: GET .* returned 503: .*recovered\.$/m);
});

test("does not treat a redeploy with a lost response as a foreign revision", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const stack = await world.deployed(agentOf(commits[0]));
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  world.clock.after(1, () => {
    const path = "/v2/deployments/:id/revisions/:revision/redeploy";
    world.admin.fault({ kind: "reset", when: "before", method: "POST", path, times: 1 });
  });
  let theirs = "";
  const watch = () => {
    const lost = world.admin.journal({ method: "POST" }).some(({ path }) => path.endsWith("/redeploy"));
    if (lost && !theirs)
      theirs = world.admin.pushRevision(stack.deploymentId, { sourceRevisionConfig: { repo_ref: "theirs" } });
    else world.clock.after(500, watch);
  };
  world.clock.after(500, watch);
  const { failure } = await stack.up(agentOf(commits[1]));
  expect(theirs).not.toBe("");
  expect(stack.state.latestRevisionId).not.toBe(theirs);
  expect(failure!.reasons).toContain(
    `Not rolled back: revision ${theirs} is newer and was not created by this update.`,
  );
});

test("creates only one revision if a redeploy takes effect long after its response was lost", async () => {
  const limits: ServerLimits = {};
  const world = await World.start({ dialect: "langsmith" }, limits);
  const stack = await world.deployed(agentOf(commits[0]));
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  limits.late = { method: "POST", afterMs: 40_000, answer: 504 };
  const { failure } = await stack.up(agentOf(commits[1]));
  expect(failure!.reasons!.join("\n")).toContain("Rolled back: ");
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH", "POST"]);
  expect(await revisionsOf(world, stack)).toHaveLength(3);
});

test("writes nothing further with onFailure: keep, which is the default", async () => {
  const world = await World.start();
  const stack = await world.deployed(agentOf(commits[0], { rollout: {} }));
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  const { failure } = await stack.up(agentOf(commits[1], { rollout: {} }));
  expect(failure!.reasons!.join("\n")).not.toMatch(/roll(ed)? ?back/i);
  expect(world.writes).toHaveLength(1);
});

test("retries a rollback that starts shortly before the deadline, like any other change", async () => {
  const world = await World.start();
  const rollout = { onFailure: "rollback", timeout: "60s" } as const;
  const stack = await world.deployed(agentOf(commits[0], { rollout }));
  world.admin.steer({ verdict: "BUILD_FAILED", pace: { afterSeconds: 59 }, times: 1 });
  world.clock.after(1_000, () =>
    world.admin.fault({ kind: "status", status: 429, method: "PATCH", retryAfter: 20, times: 2 }),
  );
  const { failure } = await stack.up(agentOf(commits[1], { rollout }));
  expect(failure!.reasons!.join("\n")).toContain("Rolled back: ");
});

test("does not roll back a rollout that only timed out", async () => {
  const world = await World.start();
  const stack = await world.deployed(agentOf(commits[0]));
  world.admin.steer({ pace: "step by step" });
  const { failure } = await stack.up(agentOf(commits[1]));
  expect(failure!.reasons![0]).toContain("is still");
  expect(world.writes).toHaveLength(1);
});

test("reports in the input check that a rollback requires waiting", async () => {
  const world = await World.start();
  const { checkFailures } = await world
    .stack()
    .up(agentOf(commits[0], { rollout: { wait: false, onFailure: "rollback" } }));
  expect(checkFailures.map(({ reason }) => reason)).toEqual([
    "rollout.onFailure: requires rollout.wait, which waits for the result of the rollout",
  ]);
});

test.each([
  [{ repo_ref: "main" }, /may have moved since$/],
  [{ repo_ref: "v1.4.0" }, /does not report which commit "v1.4.0" pointed to/],
  [{}, /does not report what revision r was built from/],
  [{ image_uri: "registry.example/agent" }, /neither an immutable tag nor a digest/],
  [{ image_uri: "registry.example:5000/agent:latest" }, /neither an immutable tag nor a digest/],
  [{ image_uri: "registry.example:5000/agent:1.2" }, { imageUri: "registry.example:5000/agent:1.2" }],
  [{ repo_ref: "main", repo_commit_sha: commits[0], image_uri: "built" }, { repoRef: commits[0] }],
  [
    { repo_ref: commits[1], langgraph_config_path: "a.json" },
    { repoRef: commits[1], graphConfigPath: "a.json" },
  ],
])("determines whether the source %j can be restored", (source, expected) => {
  const found = immutableSource({ id: "r", status: "DEPLOYED", source_revision_config: source });
  if (expected instanceof RegExp) expect(found).toMatch(expected);
  else expect(found).toEqual(expected);
});

test.each([400, 404, 405, 501])(
  "sends the source if the server responds to a redeploy with %i",
  async (status) => {
    const lacks = [{ method: "POST", path: /\/redeploy$/, status }];
    const world = await World.start({ dialect: "langsmith" }, { lacks });
    const { stack, good, failure } = await failedAfterGood(world);
    expect(failure.reasons!.join("\n")).toContain(`with the source of revision ${good} is DEPLOYED`);
    expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe(commits[0]);
    expect(world.writes.map(({ method }) => method)).toEqual(["PATCH", "PATCH"]);
  },
);

test("treats a commit hash of 64 digits as immutable, like one of 40 digits", () => {
  const commit = "0a".repeat(32);
  const revision = { id: "r", status: "DEPLOYED", source_revision_config: { repo_ref: commit } };
  expect(immutableSource(revision)).toEqual({ repoRef: commit });
});

test("does not roll back a deployment that another stack adopts during the rollout", async () => {
  const world = await World.start();
  const stack = await world.deployed(agentOf(commits[0]));
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  let isAdopted = false;
  const work = async () => {
    const { failure } = await stack.up(agentOf(commits[1]));
    expect(failure?.reasons?.join("\n")).toMatch(/Not rolled back: .* is owned by/);
  };
  await killedAt({ request: Infinity, isCarriedOut: true }, work, async () => {
    if (isAdopted || world.writes.length === 0) return;
    isAdopted = true;
    const { secrets } = (await world.record(stack)) as { secrets: { name: string; value: string }[] };
    const owner = "11111111-1111-1111-1111-111111111111";
    await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, {
      secrets: secrets.map(({ name, value }) =>
        name === "AGENTSERVER_OWNER" ? { name, value: value.replace(/^[^/]+/, owner) } : { name, value },
      ),
    });
  });
  expect(await revisionsOf(world, stack)).toHaveLength(2);
});
