import { fc } from "../../../properties";
import { interfaceDialect, langsmithDialect } from "../../../../provider/control-plane/dialects";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { LastRollout, DeploymentPlan } from "../../../../provider/deployment/plan/plan";
import { notKnownYet } from "../../../../provider/resource/inputs/unknown";
import { dialects, inputs } from "../arbitraries";
import { lineOf } from "../in-words";
import { planFrom } from "../plan-from";

const base: DeploymentInputs = {
  name: "agent",
  source: "github",
  sourceConfig: { repoUrl: "https://example.com/a.git", deploymentType: "prod", buildOnPush: false },
  sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
  secrets: { TOKEN: "canary-1", OTHER: "canary-2" },
};

function planFor(change: Partial<DeploymentInputs>, lastRollout: LastRollout = "deployed"): DeploymentPlan {
  return planFrom({ before: base, wanted: { ...base, ...change }, lastRollout, dialect: interfaceDialect });
}

describe("what a change asks for", () => {
  test("nothing, when nothing changed", () => {
    expect(planFor({})).toEqual({
      action: "none",
      deletesFirst: true,
      changes: [],
      inForce: [],
      lastRollout: "deployed",
      newRevision: false,
      resumesWait: false,
      reasons: [],
    });
  });

  test.each([
    ["name", "created first", { name: "other" }],
    ["source", "deleted first", { source: "external_docker" }],
    [
      "repoUrl",
      "deleted first",
      { sourceConfig: { ...base.sourceConfig, repoUrl: "https://example.com/b.git" } },
    ],
    ["deploymentType", "deleted first", { sourceConfig: { ...base.sourceConfig, deploymentType: "dev" } }],
  ])("a replacement, when %s changes: %s", (_field, order, change) => {
    const result = planFor(change);
    expect(result.action).toBe("replace");
    expect(result.patch).toBeUndefined();
    expect(lineOf(result.reasons)).toContain(`is replaced, ${order}`);
  });

  test.each([
    ["prod", "dedicated"],
    ["dedicated", "prod"],
    ["dev_zero", "serverless"],
  ])("nothing to send, when %s gets its other name %s", (from, to) => {
    const ofType = (deploymentType: string) => ({
      ...base,
      sourceConfig: { ...base.sourceConfig, deploymentType },
    });
    const sides = { before: ofType(from), wanted: ofType(to) };
    const result = planFrom({ ...sides, lastRollout: "deployed", dialect: langsmithDialect });
    expect(result).toMatchObject({ action: "update", patch: undefined, newRevision: false });
  });

  test("integrationId that is given with another value replaces as well", () => {
    const before = { ...base, sourceConfig: { ...base.sourceConfig, integrationId: "one" } };
    const wanted = { ...base, sourceConfig: { ...base.sourceConfig, integrationId: "two" } };
    const result = planFrom({ before, wanted, lastRollout: "deployed", dialect: interfaceDialect });
    expect(result.action).toBe("replace");
  });

  test("a confirmation, when a field that cannot change is given for the first time", () => {
    const result = planFor({ sourceConfig: { ...base.sourceConfig, integrationId: "one" } });
    expect(result).toMatchObject({ action: "update", patch: undefined, newRevision: false });
    expect(result.changes).toEqual([
      expect.objectContaining({ path: "sourceConfig.integrationId", effect: "confirm" }),
    ]);
  });

  test("one PATCH with one field and no revision, when only buildOnPush is rotated", () => {
    const result = planFor({ sourceConfig: { ...base.sourceConfig, buildOnPush: true } });
    expect(result.patch).toEqual({ sourceConfig: { buildOnPush: true } });
    expect(result.newRevision).toBe(false);
  });

  test("the revision group as a whole, and nothing else, when the ref changes", () => {
    const result = planFor({ sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" } });
    expect(result.patch).toEqual({
      sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" },
    });
    expect(result.newRevision).toBe(true);
    expect(lineOf(result.reasons)).toBe(
      "needs a new revision: sourceRevisionConfig.repoRef v1 → v2 [revision]",
    );
  });

  test("the whole map of secrets and no revision, when one of them changes", () => {
    const result = planFor({ secrets: { TOKEN: "canary-3", OTHER: "canary-2" } });
    expect(result.patch).toEqual({ environment: "required" });
    expect(result.newRevision).toBe(false);
    expect(lineOf(result.reasons)).toContain("take effect at the next revision");
  });

  test("a revision with the secrets, when onSecretChange is revise", () => {
    const result = planFor({ secrets: { TOKEN: "canary-3" }, rollout: { onSecretChange: "revise" } });
    expect(Object.keys(result.patch!)).toEqual(["sourceRevisionConfig", "environment"]);
    expect(result.newRevision).toBe(true);
  });

  test("an emptied map of secrets is sent as empty", () => {
    expect(planFor({ secrets: {} }).patch).toEqual({ environment: "required" });
  });

  test("a field that is left out from now on is not sent", () => {
    const result = planFor({
      sourceConfig: { repoUrl: base.sourceConfig.repoUrl, deploymentType: "prod" },
      secrets: undefined,
    });
    expect(result).toMatchObject({ action: "update", patch: undefined, newRevision: false });
  });

  test("new triggers make a revision", () => {
    const result = planFor({ rollout: { triggers: ["tuesday"] } });
    expect(result.patch).toEqual({ sourceRevisionConfig: base.sourceRevisionConfig });
  });

  test("settings of the rollout and of adoption stay in state", () => {
    const result = planFor({ rollout: { timeout: "1h", wait: false, onConflict: "fail" }, adopt: "always" });
    expect(result).toMatchObject({ action: "update", patch: undefined, newRevision: false });
  });
});

describe("what became of the last rollout", () => {
  test("a failed one makes one new revision, in the same PATCH as any other change", () => {
    expect(planFor({}, "failed").patch).toEqual({ sourceRevisionConfig: base.sourceRevisionConfig });
    const both = planFor({ sourceConfig: { ...base.sourceConfig, buildOnPush: true } }, "failed");
    expect(Object.keys(both.patch!)).toEqual(["sourceConfig", "sourceRevisionConfig"]);
  });

  test("an unsettled one is waited for without a request", () => {
    expect(planFor({}, "unsettled")).toMatchObject({ action: "update", patch: undefined, resumesWait: true });
  });

  test("an unsettled one is left alone when nobody wants to wait", () => {
    const wanted = { ...base, rollout: { wait: false } };
    const result = planFrom({ before: wanted, wanted, lastRollout: "unsettled", dialect: interfaceDialect });
    expect(result.action).toBe("none");
  });
});

describe("values that are not known yet", () => {
  test("in a replacing field plan an update that may become a replacement", () => {
    const result = planFor({ sourceConfig: { ...base.sourceConfig, repoUrl: notKnownYet as never } });
    expect(result.action).toBe("update");
    expect(lineOf(result.reasons)).toContain("may be replaced, not known yet: sourceConfig.repoUrl");
  });

  test("of a whole group stand for each of its fields", () => {
    const result = planFor({ sourceRevisionConfig: notKnownYet as never });
    expect(result.newRevision).toBe(true);
    expect(result.changes.every(({ unknown }) => unknown)).toBe(true);
  });
});

describe("properties", () => {
  const rollouts = fc.constantFrom<LastRollout>("deployed", "failed", "unsettled");
  test("no pair of inputs yields an empty PATCH", () => {
    fc.assert(
      fc.property(inputs, inputs, rollouts, dialects, (before, wanted, lastRollout, dialect) => {
        const { patch } = planFrom({ before, wanted, lastRollout, dialect });
        if (!patch) return;
        expect(Object.keys(patch).length).toBeGreaterThan(0);
        if (patch.sourceConfig) expect(Object.keys(patch.sourceConfig).length).toBeGreaterThan(0);
      }),
    );
  });

  test("the revision group is sent only when a revision was asked for", () => {
    fc.assert(
      fc.property(inputs, inputs, rollouts, dialects, (before, wanted, lastRollout, dialect) => {
        const { patch, newRevision, changes } = planFrom({ before, wanted, lastRollout, dialect });
        const asked = lastRollout === "failed" || changes.some(({ effect }) => effect === "revision");
        // Where secrets or resources make the revision by themselves, the source may stay at home.
        if (dialect.name === "interface") expect(patch?.sourceRevisionConfig !== undefined).toBe(newRevision);
        if (patch?.sourceRevisionConfig) expect(newRevision).toBe(true);
        if (newRevision) expect(asked).toBe(true);
      }),
    );
  });

  test("no inputs differ from themselves", () => {
    fc.assert(
      fc.property(inputs, dialects, (one, dialect) => {
        const copy = JSON.parse(JSON.stringify(one)) as DeploymentInputs;
        expect(planFrom({ before: copy, wanted: one, lastRollout: "deployed", dialect }).action).toBe("none");
      }),
    );
  });

  test("a plan that was carried out leaves nothing to do", () => {
    fc.assert(
      fc.property(inputs, inputs, dialects, (before, wanted, dialect) => {
        const first = planFrom({ before, wanted, lastRollout: "deployed", dialect });
        fc.pre(first.action === "update");
        expect(planFrom({ before: wanted, wanted, lastRollout: "deployed", dialect }).action).toBe("none");
      }),
    );
  });

  test("no reason and no change holds a secret value", () => {
    fc.assert(
      fc.property(inputs, inputs, rollouts, dialects, (before, wanted, lastRollout, dialect) => {
        const { reasons, changes } = planFrom({ before, wanted, lastRollout, dialect });
        expect(JSON.stringify([reasons, changes])).not.toContain("canary");
      }),
    );
  });
});
