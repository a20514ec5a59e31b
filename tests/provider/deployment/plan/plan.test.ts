import { formatTag } from "../../../../wire";
import { fc } from "../../../properties";
import { interfaceDialect, langsmithDialect } from "../../../../provider/control-plane/dialects";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { plan, type DeploymentPlan } from "../../../../provider/deployment/plan/plan";
import type { LastRollout } from "../../../../provider/deployment/state";
import { merge } from "../../../../provider/deployment/current";
import type { DeploymentState } from "../../../../provider/deployment/state";
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

describe("the plan for a change", () => {
  test("contains nothing if nothing changed", () => {
    expect(planFor({})).toEqual({
      action: "none",
      deletesFirst: true,
      changes: [],
      inEffect: [],
      lastRollout: "deployed",
      newRevision: false,
      resumesWait: false,
      reasons: [],
    });
  });

  test.each([
    ["name", "the new deployment is created first", { name: "other" }],
    ["source", "deleted first", { source: "external_docker" }],
    [
      "repoUrl",
      "deleted first",
      { sourceConfig: { ...base.sourceConfig, repoUrl: "https://example.com/b.git" } },
    ],
    ["deploymentType", "deleted first", { sourceConfig: { ...base.sourceConfig, deploymentType: "dev" } }],
  ])("contains a replacement if %s changes: %s", (_field, order, change) => {
    const result = planFor(change);
    expect(result.action).toBe("replace");
    expect(result.patch).toBeUndefined();
    expect(lineOf(result.reasons)).toContain(`is replaced (${order}`);
  });

  test("contains a replacement if the program requests one for a changed field", () => {
    const result = planFrom({
      before: base,
      wanted: { ...base, sourceConfig: { ...base.sourceConfig, buildOnPush: true } },
      lastRollout: "deployed",
      dialect: interfaceDialect,
      replacesOn: (path) => path === "sourceConfig.buildOnPush",
    });
    expect(result).toMatchObject({ action: "replace", newRevision: false });
    expect(result.changes).toMatchObject([{ path: "sourceConfig.buildOnPush", effect: "replace" }]);
  });

  test.each([
    ["prod", "dedicated"],
    ["dedicated", "prod"],
    ["dev_zero", "serverless"],
  ])("does not contain a request if %s changes to its alias %s", (from, to) => {
    const ofType = (deploymentType: string) => ({
      ...base,
      sourceConfig: { ...base.sourceConfig, deploymentType },
    });
    const sides = { before: ofType(from), wanted: ofType(to) };
    const result = planFrom({ ...sides, lastRollout: "deployed", dialect: langsmithDialect });
    expect(result).toMatchObject({ action: "update", patch: undefined, newRevision: false });
    expect(result.changes).toMatchObject([{ path: "sourceConfig.deploymentType", effect: "state" }]);
  });

  test("contains a replacement if integrationId changes", () => {
    const before = { ...base, sourceConfig: { ...base.sourceConfig, integrationId: "one" } };
    const wanted = { ...base, sourceConfig: { ...base.sourceConfig, integrationId: "two" } };
    const result = planFrom({ before, wanted, lastRollout: "deployed", dialect: interfaceDialect });
    expect(result.action).toBe("replace");
  });

  test("contains a confirmation if an immutable field is declared for the first time", () => {
    const result = planFor({ sourceConfig: { ...base.sourceConfig, integrationId: "one" } });
    expect(result).toMatchObject({ action: "update", patch: undefined, newRevision: false });
    expect(result.changes).toEqual([
      expect.objectContaining({ path: "sourceConfig.integrationId", effect: "confirm" }),
    ]);
  });

  test("contains one PATCH with one field and no revision if only buildOnPush changes", () => {
    const result = planFor({ sourceConfig: { ...base.sourceConfig, buildOnPush: true } });
    expect(result.patch).toEqual({ sourceConfig: { buildOnPush: true } });
    expect(result.newRevision).toBe(false);
  });

  test("contains the whole revision group and nothing else if the ref changes", () => {
    const result = planFor({ sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" } });
    expect(result.patch).toEqual({
      sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" },
    });
    expect(result.newRevision).toBe(true);
    expect(lineOf(result.reasons)).toBe(
      "needs a new revision: sourceRevisionConfig.repoRef v1 → v2 [revision]",
    );
  });

  test("contains the whole map of secrets and no revision if one of them changes", () => {
    const result = planFor({ secrets: { TOKEN: "canary-3", OTHER: "canary-2" } });
    expect(result.patch).toEqual({ environment: "required" });
    expect(result.newRevision).toBe(false);
    expect(lineOf(result.reasons)).toContain("take effect with the next revision");
  });

  test("contains a revision with the secrets if onSecretChange is revise", () => {
    const result = planFor({ secrets: { TOKEN: "canary-3" }, rollout: { onSecretChange: "revise" } });
    expect(Object.keys(result.patch!)).toEqual(["sourceRevisionConfig", "environment"]);
    expect(result.newRevision).toBe(true);
  });

  test("contains an empty map if all secrets are removed", () => {
    expect(planFor({ secrets: {} }).patch).toEqual({ environment: "required" });
  });

  test("omits a field that the program no longer declares", () => {
    const result = planFor({
      sourceConfig: { repoUrl: base.sourceConfig.repoUrl, deploymentType: "prod" },
      secrets: undefined,
    });
    expect(result).toMatchObject({ action: "update", patch: undefined, newRevision: false });
  });

  test("creates a revision for changed triggers, and records them in the tag", () => {
    const result = planFor({ rollout: { triggers: ["tuesday"] } });
    expect(result.patch).toEqual({
      sourceRevisionConfig: base.sourceRevisionConfig,
      environment: "if possible",
    });
  });

  test("keeps rollout and adoption settings only in state", () => {
    const result = planFor({ rollout: { timeout: "1h", wait: false, onConflict: "fail" }, adopt: "always" });
    expect(result).toMatchObject({ action: "update", patch: undefined, newRevision: false });
  });
});

describe("a plan after an earlier rollout", () => {
  test("creates one new revision after a failure, in the same PATCH as any other change", () => {
    expect(planFor({}, "failed").patch).toEqual({ sourceRevisionConfig: base.sourceRevisionConfig });
    const both = planFor({ sourceConfig: { ...base.sourceConfig, buildOnPush: true } }, "failed");
    expect(Object.keys(both.patch!)).toEqual(["sourceConfig", "sourceRevisionConfig"]);
  });

  test("resumes the wait for a rollout in progress without sending a request", () => {
    expect(planFor({}, "unsettled")).toMatchObject({ action: "update", patch: undefined, resumesWait: true });
  });

  test("plans nothing for a rollout in progress if the program does not wait", () => {
    const wanted = { ...base, rollout: { wait: false } };
    const result = planFrom({ before: wanted, wanted, lastRollout: "unsettled", dialect: interfaceDialect });
    expect(result.action).toBe("none");
  });
});

describe("unknown values", () => {
  test("plans an update that may become a replacement if an immutable field is unknown", () => {
    const result = planFor({ sourceConfig: { ...base.sourceConfig, repoUrl: notKnownYet as never } });
    expect(result.action).toBe("update");
    expect(lineOf(result.reasons)).toContain("may be replaced (value not known yet): sourceConfig.repoUrl");
  });

  test("marks each field of an unknown group", () => {
    const result = planFor({ sourceRevisionConfig: notKnownYet as never });
    expect(result.newRevision).toBe(true);
    expect(result.changes.every(({ unknown }) => unknown)).toBe(true);
  });
});

describe("a plan for arbitrary inputs", () => {
  const rollouts = fc.constantFrom<LastRollout>("deployed", "failed", "unsettled");
  test("does not plan an empty PATCH", () => {
    fc.assert(
      fc.property(inputs, inputs, rollouts, dialects, (before, wanted, lastRollout, dialect) => {
        const { patch } = planFrom({ before, wanted, lastRollout, dialect });
        if (!patch) return;
        expect(Object.keys(patch).length).toBeGreaterThan(0);
        if (patch.sourceConfig) expect(Object.keys(patch.sourceConfig).length).toBeGreaterThan(0);
      }),
    );
  });

  test("sends the revision group only if a revision was requested", () => {
    fc.assert(
      fc.property(inputs, inputs, rollouts, dialects, (before, wanted, lastRollout, dialect) => {
        const { patch, newRevision, changes } = planFrom({ before, wanted, lastRollout, dialect });
        const asked = lastRollout === "failed" || changes.some(({ effect }) => effect === "revision");
        // If secrets or resources create the revision, the source may be omitted.
        if (dialect.name === "interface") expect(patch?.sourceRevisionConfig !== undefined).toBe(newRevision);
        if (patch?.sourceRevisionConfig) expect(newRevision).toBe(true);
        if (newRevision) expect(asked).toBe(true);
      }),
    );
  });

  test("plans nothing for equal inputs", () => {
    fc.assert(
      fc.property(inputs, dialects, (one, dialect) => {
        const copy = JSON.parse(JSON.stringify(one)) as DeploymentInputs;
        expect(planFrom({ before: copy, wanted: one, lastRollout: "deployed", dialect }).action).toBe("none");
      }),
    );
  });

  test("plans nothing after a plan has been executed", () => {
    fc.assert(
      fc.property(inputs, inputs, dialects, (before, wanted, dialect) => {
        const first = planFrom({ before, wanted, lastRollout: "deployed", dialect });
        fc.pre(first.action === "update");
        expect(planFrom({ before: wanted, wanted, lastRollout: "deployed", dialect }).action).toBe("none");
      }),
    );
  });

  test("does not reveal secrets in reasons and changes", () => {
    fc.assert(
      fc.property(inputs, inputs, rollouts, dialects, (before, wanted, lastRollout, dialect) => {
        const { reasons, changes } = planFrom({ before, wanted, lastRollout, dialect });
        expect(JSON.stringify([reasons, changes])).not.toContain("canary");
      }),
    );
  });
});

describe("a request", () => {
  const folder: DeploymentInputs = {
    ...base,
    source: "internal_source",
    sourceConfig: { deploymentType: "dev" },
    sourceRevisionConfig: { folder: "a", contentHash: "1".repeat(64) },
  };
  const request = (wanted: Partial<DeploymentInputs>, tag?: "now" | "with revision") =>
    planFrom({
      before: base,
      wanted: { ...base, ...wanted },
      lastRollout: "deployed",
      dialect: langsmithDialect,
      tag,
    });
  const ref = { sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" } };

  test.each([
    ["includes the ownership tag now, even if nothing else changes", {}, "now", "required", true],
    ["includes the ownership tag with a new revision if possible", ref, "with revision", "if possible", true],
    [
      "does not include the ownership tag without a revision",
      { displayName: "x" },
      "with revision",
      undefined,
      false,
    ],
    [
      "does not include the ownership tag with the revision of another step",
      { computeTier: "DEDICATED_M" },
      "with revision",
      undefined,
      true,
    ],
    [
      "includes the ownership tag, if possible, with a revision that another field creates",
      { sourceConfig: { ...base.sourceConfig, resourceSpec: { cpu: 2 } } },
      "with revision",
      "if possible",
      true,
    ],
    ["includes the ownership tag with changed secrets", { secrets: {} }, undefined, "required", true],
    [
      "includes the ownership tag with changed variables",
      { environmentVariables: { A: "1" } },
      undefined,
      "required",
      true,
    ],
    ["does not include the ownership tag unless it is requested", ref, undefined, undefined, true],
  ] as const)("%s", (_, wanted, tag, environment, newRevision) => {
    const result = request(wanted, tag);
    expect([result.patch?.environment, result.newRevision]).toEqual([environment, newRevision]);
  });

  test("includes the ownership tag without a revision if secrets create none", () => {
    const result = planFrom({
      before: base,
      wanted: base,
      lastRollout: "deployed",
      dialect: interfaceDialect,
      tag: "now",
    });
    expect(result).toMatchObject({ patch: { environment: "required" }, newRevision: false });
  });

  test("includes the ownership tag with an upload, because the tag identifies the upload", () => {
    const wanted = { ...folder, sourceRevisionConfig: { folder: "a", contentHash: "2".repeat(64) } };
    const uploading = { before: folder, wanted, lastRollout: "deployed", dialect: langsmithDialect } as const;
    expect(planFrom(uploading).patch).toEqual({
      sourceRevisionConfig: wanted.sourceRevisionConfig,
      environment: "if possible",
    });
    expect(planFrom({ ...uploading, wanted: { ...folder, displayName: "x" } }).patch).toEqual({
      settings: { displayName: "x" },
    });
  });

  test("sends the source with a field that takes effect with the next revision", () => {
    const sourceConfig = { ...base.sourceConfig, repoUrl: "https://example.com/b.git" };
    expect(request({ sourceConfig }).patch).toEqual({
      sourceConfig: { repoUrl: sourceConfig.repoUrl },
      sourceRevisionConfig: base.sourceRevisionConfig,
    });
  });

  test("sends a changed size in a second step, without a revision of the source", () => {
    const result = request({ computeTier: "DEDICATED_M", displayName: "x" });
    expect(result).toMatchObject({
      patch: { settings: { displayName: "x" } },
      tiers: { computeTier: "DEDICATED_M" },
      newRevision: true,
    });
    expect(result.patch).toEqual({ settings: { displayName: "x" } });
    expect(request({ computeTier: "DEDICATED_M" }).patch).toBeUndefined();
  });
});

describe("settings in effect", () => {
  const record = (change: object = {}) => ({
    id: "d",
    latest_revision_id: "r-2",
    source_config: { repo_url: "https://example.com/a.git", build_on_push: true },
    source_revision_config: { repo_ref: "v2", graph_config_path: "langgraph.json" },
    display_name: "Theirs",
    ...change,
  });
  const state = { ...base, latestRevisionId: "r-1" } as DeploymentState;
  const wanted: DeploymentInputs = {
    ...base,
    sourceConfig: { ...base.sourceConfig, buildOnPush: true },
    sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" },
    displayName: "Ours",
  };
  const planned = (from: DeploymentState, change?: object) =>
    plan({
      current: merge(from, { record: record(change), ownerId: "owner" }),
      wanted,
      lastRollout: "deployed",
      dialect: interfaceDialect,
    });

  const holder = { organization: "", project: "shop", stack: "prod", resource: "agent" };
  const value = formatTag({ ownerId: "owner", revisions: 1, since: "2026-01-01T00:00:00.000Z", holder });
  const tagged = (entries: { name: string; value: string }[]) =>
    record({ secrets: [...entries, { name: "AGENTSERVER_OWNER", value }] });

  test("does not send settings in effect again, but sends all others", () => {
    const result = planned(state);
    expect(result.inEffect.map(({ path }) => path)).toEqual([
      "sourceConfig.buildOnPush",
      "sourceRevisionConfig.repoRef",
    ]);
    expect(result.changes.map(({ path }) => path)).toEqual(["displayName"]);
    expect(result).toMatchObject({ patch: { settings: { displayName: "Ours" } }, newRevision: false });
  });

  test("does not resend a setting that needs no revision, even if the revision is in state", () => {
    const result = plan({
      current: merge({ ...state, latestRevisionId: "r-2" }, { record: record(), ownerId: "owner" }),
      wanted: { ...base, displayName: "Theirs" },
      lastRollout: "deployed",
      dialect: interfaceDialect,
    });
    expect(result.inEffect.map(({ path }) => path)).toEqual(["displayName"]);
    expect(result.patch).toBeUndefined();
  });

  test.each([
    ["the same environment", { TOKEN: "canary-3" }, { TOKEN: "canary-3" }, true],
    ["another value", { TOKEN: "canary-3" }, { TOKEN: "theirs" }, false],
    ["an additional secret", { TOKEN: "canary-3" }, { TOKEN: "canary-3", MORE: "1" }, false],
  ])("sends secrets unless the whole environment is as desired: %s", (_, secrets, theirs, isInEffect) => {
    const entries = Object.entries(theirs).map(([name, value]) => ({ name, value }));
    const { patch } = plan({
      current: merge(state, { record: tagged(entries), ownerId: "owner" }),
      wanted: { ...base, secrets },
      lastRollout: "deployed",
      dialect: interfaceDialect,
    });
    expect(patch).toEqual(isInEffect ? undefined : { environment: "required" });
  });

  test("does not create a revision for an empty map that becomes managed if there are no secrets", () => {
    const from = { ...state, secrets: undefined, latestRevisionId: "r-2" } as DeploymentState;
    const planTo = (entries: { name: string; value: string }[]) =>
      plan({
        current: merge(from, { record: tagged(entries), ownerId: "owner" }),
        wanted: { ...base, secrets: {} },
        lastRollout: "deployed",
        dialect: langsmithDialect,
      });
    expect(planTo([])).toMatchObject({ patch: undefined, newRevision: false });
    expect(planTo([{ name: "A", value: "1" }])).toMatchObject({ newRevision: true });
  });

  test("sends settings in effect again if the revision is in state", () => {
    expect(planned({ ...state, latestRevisionId: "r-2" })).toMatchObject({
      patch: { sourceRevisionConfig: wanted.sourceRevisionConfig },
      newRevision: true,
    });
  });

  test("sends them again after a failed rollout", () => {
    const current = merge(state, { record: record(), ownerId: "owner" });
    const result = plan({ current, wanted, lastRollout: "failed", dialect: interfaceDialect });
    expect(result.patch).toMatchObject({ sourceRevisionConfig: wanted.sourceRevisionConfig });
  });

  test("ignores unknown values, and values that are only recorded in state", () => {
    const current = merge(state, { record: record(), ownerId: "owner" });
    const unknown = { ...wanted, displayName: notKnownYet as never, rollout: { timeout: "5m" } };
    const result = plan({ current, wanted: unknown, lastRollout: "deployed", dialect: interfaceDialect });
    expect(result.changes.map(({ path }) => path)).toEqual(["displayName", "rollout.timeout"]);
  });

  test("ignores an unknown environment, a released field, and secrets without a new revision", () => {
    const planTo = (from: DeploymentState, desired: object, entries: { name: string; value: string }[]) =>
      plan({
        current: merge(from, { record: tagged(entries), ownerId: "owner" }),
        wanted: { ...base, ...desired },
        lastRollout: "deployed",
        dialect: langsmithDialect,
      });
    expect(planTo(state, { secrets: notKnownYet }, []).changes).toEqual([
      { path: "secrets", effect: "revision", unknown: true },
    ]);
    const released = planTo(state, { sourceRevisionConfig: { repoRef: "v2" } }, []);
    expect(released.changes).toEqual([
      expect.objectContaining({ path: "sourceRevisionConfig.graphConfigPath", effect: "state" }),
    ]);
    const [one, two] = [{ ...state, latestRevisionId: "r-2" } as DeploymentState, { secrets: { A: "2" } }];
    expect(planTo(one, two, [{ name: "A", value: "2" }])).toMatchObject({
      patch: { environment: "required" },
      newRevision: true,
    });
  });

  test("reads the environment once for any number of changed variables", () => {
    const readsFor = (variables: number) => {
      const named = (value: string) =>
        Object.fromEntries(Array.from({ length: variables }, (_, index) => [`KEY_${index}`, value]));
      let reads = 0;
      const observed = Object.defineProperty(record(), "secrets", {
        get: () => {
          reads += 1;
          return Object.entries(named("old")).map(([name, value]) => ({ name, value }));
        },
      });
      const current = merge({ ...state, secrets: named("old") }, { record: observed, ownerId: "owner" });
      const desired = { ...base, secrets: named("new") };
      plan({ current, wanted: desired, lastRollout: "deployed", dialect: interfaceDialect });
      return reads;
    };
    expect(readsFor(100)).toBe(readsFor(1));
  });

  test("keeps external changes to fields that the program has not changed", () => {
    const same = { ...state, ...wanted, displayName: undefined };
    const current = merge(same, {
      record: record({ source_revision_config: { repo_ref: "theirs" } }),
      ownerId: "owner",
    });
    const unchanged = { ...wanted, displayName: undefined };
    expect(
      plan({ current, wanted: unchanged, lastRollout: "deployed", dialect: interfaceDialect }).action,
    ).toBe("none");
  });
});
