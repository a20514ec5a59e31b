import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { verifiedAfter } from "../../../../provider/deployment/rollout/verified";
import type { VerifiedArtifact } from "../../../../provider/deployment/state";
import { isSecret } from "../../wire";
import { agent, canary, World } from "../../world";

const [one, two, three] = ["1", "2", "3"].map((digit) => digit.repeat(40)) as [string, string, string];

/** Returns the inputs for a commit, with a verification that the revision is serving. */
function agentOf(repoRef: string, rollout: DeploymentInputs["rollout"] = {}, more: object = {}) {
  const sourceRevisionConfig = { repoRef, graphConfigPath: "langgraph.json" };
  return { ...agent(), sourceRevisionConfig, rollout: { verify: { ok: false }, ...rollout }, ...more };
}

function entry(artifact: string, revisionId: string): VerifiedArtifact {
  const verification = { ok: true, run: false };
  return { source: "github", artifact, revisionId, verifiedAt: `time of ${revisionId}`, verification };
}

const artifactsIn = (history: readonly VerifiedArtifact[]) => history.map(({ artifact }) => artifact);

describe("verifiedAfter", () => {
  test("keeps the last 20 artifacts, newest first", () => {
    let verified = verifiedAfter(undefined, undefined);
    for (let at = 1; at <= 25; at += 1)
      verified = verifiedAfter(verified, `r${at}`, entry(String(at).repeat(40), `r${at}`));
    expect(verified.current?.revisionId).toBe("r25");
    expect(verified.history.map(({ revisionId }) => revisionId)).toEqual(
      Array.from({ length: 20 }, (_, index) => `r${25 - index}`),
    );
  });

  test("lists an artifact once, with its newest revision and the time of its first verification", () => {
    const before = verifiedAfter({ history: [entry(two, "r2"), entry(one, "r1")] }, "r3", entry(one, "r3"));
    const again = { ...entry(one, "r3"), verifiedAt: "time of r1" };
    expect(before).toEqual({ current: again, history: [again, entry(two, "r2")] });
  });

  test("lists revisions without a reported artifact separately", () => {
    const unknown = (id: string) => ({ ...entry(one, id), artifact: undefined });
    expect(verifiedAfter({ history: [unknown("r1")] }, "r2", unknown("r2")).history).toHaveLength(2);
  });

  test("does not record a rollback to a revision that was never verified", () => {
    const history = [entry(one, "r1")];
    const rollback = { revisionId: "r4", rollbackTo: "r2", failed: entry(two, "r3") };
    expect(verifiedAfter({ history }, "r4", rollback)).toEqual({ current: undefined, history });
  });

  test("does not record a rollback to an artifact that has failed", () => {
    const history = [entry(one, "r1")];
    const rollback = { revisionId: "r3", rollbackTo: "r1", failed: entry(one, "r2") };
    expect(verifiedAfter({ history }, "r3", rollback)).toEqual({ current: undefined, history });
  });
});

describe.each(["interface", "langsmith"] as const)(
  "the history of verified artifacts (%s dialect)",
  (dialect) => {
    test("records the verified commit with its time and checks", async () => {
      const world = await World.start({ dialect });
      const stack = await world.deployed(agentOf(one));
      const { latestRevisionId, settledRevision, verified } = stack.state;
      const expected = {
        source: "github",
        artifact: one,
        graphConfigPath: "langgraph.json",
        revisionId: latestRevisionId,
        verifiedAt: settledRevision!.settledAt,
        verification: { ok: false, run: false },
      };
      expect(verified).toEqual({ current: expected, history: [expected] });
      expect(stack.outputs["verified"]).toEqual(verified);
      await stack.refresh();
      expect(stack.state.verified).toEqual(verified);
      expect((await stack.up(agentOf(one))).step).toBe("same");
    });

    test("lists the newest first", async () => {
      const stack = await (await World.start({ dialect })).deployed(agentOf(one));
      await stack.up(agentOf(two));
      expect(stack.state.verified.current?.artifact).toBe(two);
      expect(artifactsIn(stack.state.verified.history)).toEqual([two, one]);
    });

    test("omits a revision that was not verified", async () => {
      const stack = await (
        await World.start({ dialect })
      ).deployed({ ...agentOf(one), rollout: { verify: undefined } });
      expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
      expect(stack.state.verified).toEqual({ history: [] });
    });

    test("omits a revision with wait: false until the next update has verified it", async () => {
      const world = await World.start({ dialect });
      const stack = world.stack();
      await stack.up(agentOf(one, { wait: false, verify: undefined }));
      await world.clock.advance(60_000);
      expect(stack.state.verified).toEqual({ history: [] });
      await stack.up(agentOf(one));
      expect(stack.state.verified.current?.artifact).toBe(one);
    });

    test("omits a failed revision, and keeps the active one", async () => {
      const world = await World.start({ dialect });
      const stack = await world.deployed(agentOf(one));
      const before = stack.state.verified;
      world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
      expect((await stack.up(agentOf(two))).failure).toBeDefined();
      expect(stack.state.verified).toEqual(before);
      await stack.refresh();
      expect(stack.state.verified).toEqual(before);
    });

    test("returns to the artifact of the revision that is active again after a rollback", async () => {
      const world = await World.start({ dialect });
      const stack = await world.deployed(agentOf(one));
      const before = stack.state.verified.current!;
      world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
      await stack.up(agentOf(two, { onFailure: "rollback" }));
      const expected = { ...before, revisionId: stack.state.latestRevisionId };
      expect(expected.revisionId).not.toBe(before.revisionId);
      expect(stack.state.verified).toEqual({ current: expected, history: [expected] });
      await stack.refresh();
      expect(stack.state.verified.current).toEqual(expected);
      await stack.up(agentOf(three));
      expect(artifactsIn(stack.state.verified.history)).toEqual([three, one]);
    });

    test("has no current entry while a foreign revision is active", async () => {
      const world = await World.start({ dialect });
      const stack = await world.deployed(agentOf(one));
      const { history } = stack.state.verified;
      world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: two } });
      await world.clock.advance(60_000);
      await stack.refresh();
      expect(stack.state.verified).toEqual({ history });
      await stack.up(agentOf(three));
      expect(artifactsIn(stack.state.verified.history)).toEqual([three, one]);
    });

    test("records an adopted revision only after a verification", async () => {
      const world = await World.start({ dialect });
      await world.request("POST", "/v2/deployments", {
        name: "support-agent",
        source: "github",
        source_config: {
          repo_url: agent().sourceConfig.repoUrl,
          deployment_type: "prod",
          build_on_push: false,
        },
        source_revision_config: {
          repo_ref: one,
          [dialect === "interface" ? "graph_config_path" : "langgraph_config_path"]: "langgraph.json",
        },
        secrets: [{ name: "MODEL_KEY", value: `${canary}-model` }],
      });
      const stack = world.stack();
      await stack.up(agentOf(one, {}, { adopt: "always" }));
      expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
      expect(stack.state.verified).toEqual({ history: [] });
      await stack.up(agentOf(two, {}, { adopt: "always" }));
      expect(artifactsIn(stack.state.verified.history)).toEqual([two]);
    });

    test("is secret if the source is secret", async () => {
      const world = await World.start({ dialect });
      const stack = world.stack();
      stack.call = { secretPaths: ["sourceRevisionConfig.repoRef"] };
      await stack.up(agentOf(one));
      expect(isSecret(stack.outputs["verified"])).toBe(true);
    });
  },
);

test("records the commit that a branch pointed to", async () => {
  const stack = await (await World.start({ dialect: "langsmith" })).deployed(agentOf("main"));
  expect(stack.state.verified.current?.artifact).toMatch(/^[0-9a-f]{40}$/);
});

test("does not record an artifact for a branch if its commit is not reported", async () => {
  const stack = await (await World.start({ dialect: "interface" })).deployed(agentOf("main"));
  const { current } = stack.state.verified;
  expect(current).toMatchObject({ revisionId: stack.state.latestRevisionId });
  expect(current).not.toHaveProperty("artifact");
});

test("records an image only if it has a digest", async () => {
  const world = await World.start();
  const imageUri = `registry.example.com/agents/support@sha256:${"a".repeat(64)}`;
  const of = (uri: string) =>
    agentOf(
      one,
      {},
      { source: "external_docker", sourceConfig: {}, sourceRevisionConfig: { imageUri: uri } },
    );
  const stack = await world.deployed(of(imageUri));
  expect(stack.state.verified.current).toMatchObject({ source: "external_docker", artifact: imageUri });
  await stack.up(of("registry.example.com/agents/support:v2"));
  expect(stack.state.verified.current).not.toHaveProperty("artifact");
});

test("reads a state without verified artifacts as an empty history, which causes no change", async () => {
  const stack = await (await World.start()).deployed(agentOf(one));
  delete stack.outputs["verified"];
  expect((await stack.preview(agentOf(one))).changes).toBe(false);
  await stack.up(agentOf(two));
  expect(artifactsIn(stack.state.verified.history)).toEqual([two]);
});
