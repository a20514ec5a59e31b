import { interfaceDialect, langsmithDialect, type Dialect } from "../../../provider/control-plane/dialects";
import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import type { LastRollout } from "../../../provider/deployment/state";
import { notKnownYet } from "../../../provider/resource/inputs/unknown";
import { agent, canary } from "../world";
import { planFrom } from "./plan-from";

interface Given {
  before?: Partial<DeploymentInputs>;
  wanted?: Partial<DeploymentInputs>;
  lastRollout?: LastRollout;
  dialect?: Dialect;
}

function planOf({ before, wanted, lastRollout = "deployed", dialect = interfaceDialect }: Given) {
  return planFrom({ before: agent(before), wanted: agent(wanted), lastRollout, dialect });
}

const both = [interfaceDialect, langsmithDialect];

test.each([
  ["wait", false],
  ["timeout", "5m"],
  ["onSecretChange", "revise"],
  ["onConflict", "fail"],
  ["onFailure", "rollback"],
  ["verify", { ok: true }],
] as const)("a changed rollout.%s is kept in state, and nothing is sent", (field, value) => {
  const { action, changes, patch, newRevision } = planOf({ wanted: { rollout: { [field]: value } } });
  expect(changes.map(({ path, effect }) => [path, effect])).toEqual([[`rollout.${field}`, "state"]]);
  expect([action, patch, newRevision]).toEqual(["update", undefined, false]);
});

test("a fixed field that state has as null is not replaced, but must be what the control plane chose", () => {
  const { sourceConfig } = agent();
  const { action, changes } = planOf({
    before: { sourceConfig: { ...sourceConfig, integrationId: null } },
    wanted: { sourceConfig: { ...sourceConfig, integrationId: "one" } },
  });
  expect(action).toBe("update");
  expect(changes.map(({ effect }) => effect)).toEqual(["confirm"]);
});

describe("secrets", () => {
  test("that nobody gives, before or now, are no change", () => {
    expect(planOf({ before: { secrets: undefined }, wanted: { secrets: undefined } }).action).toBe("none");
  });

  test("that are no longer given stay as they are at the control plane", () => {
    const { changes, patch } = planOf({ wanted: { secrets: undefined } });
    expect(changes).toEqual([{ path: "secrets", effect: "state" }]);
    expect(patch).toBeUndefined();
  });

  test("that are given as an empty map for the first time are cleared", () => {
    const { changes, patch } = planOf({ before: { secrets: undefined }, wanted: { secrets: {} } });
    expect(changes).toEqual([{ path: "secrets", effect: "patch", unknown: true }]);
    expect(patch).toEqual({ environment: "required" });
  });

  test("that are an empty map as before are no change", () => {
    expect(planOf({ before: { secrets: {} }, wanted: { secrets: {} } }).action).toBe("none");
  });

  test("of which one is not known yet change by that one alone", () => {
    const { changes } = planOf({ wanted: { secrets: { MODEL_KEY: notKnownYet as never } } });
    expect(changes).toEqual([{ path: "secrets.MODEL_KEY", effect: "patch", unknown: true }]);
  });

  test("that are not known yet at all change as a whole", () => {
    const { changes } = planOf({ wanted: { secrets: notKnownYet as never } });
    expect(changes).toEqual([{ path: "secrets", effect: "patch", unknown: true }]);
  });

  test("that are given for the first time are each a change of their own", () => {
    const { changes } = planOf({ before: { secrets: undefined } });
    expect(changes).toEqual([{ path: "secrets.MODEL_KEY", effect: "patch" }]);
  });

  test("are listed by their names, in order", () => {
    const { changes } = planOf({ before: { secrets: { B: "1" } }, wanted: { secrets: { C: "1", A: "1" } } });
    expect(changes.map(({ path }) => path)).toEqual(["secrets.A", "secrets.B", "secrets.C"]);
  });

  test("alone make a revision without the source, where they make one by themselves", () => {
    const wanted = { secrets: { MODEL_KEY: `${canary}-2` } };
    expect(planOf({ wanted, dialect: langsmithDialect })).toMatchObject({
      newRevision: true,
      patch: { environment: "required" },
    });
    expect(planOf({ wanted, dialect: langsmithDialect }).patch).not.toHaveProperty("sourceRevisionConfig");
  });

  test("send the source along where only that makes the revision that is wanted", () => {
    const wanted = { secrets: { MODEL_KEY: `${canary}-2` }, rollout: { onSecretChange: "revise" as const } };
    expect(planOf({ wanted }).patch).toEqual({
      environment: "required",
      sourceRevisionConfig: agent().sourceRevisionConfig,
    });
  });

  test.each(both)("that change with the ref go along with it", (dialect) => {
    const { sourceRevisionConfig } = agent({ sourceRevisionConfig: { repoRef: "v2" } });
    const wanted = { secrets: { MODEL_KEY: `${canary}-2` }, sourceRevisionConfig };
    const { patch, reasons } = planOf({ wanted, dialect });
    expect(patch).toEqual({ environment: "required", sourceRevisionConfig });
    expect(JSON.stringify(reasons)).not.toContain("take effect at the next revision");
  });
});

test("a setting that makes a revision by itself does not send the source", () => {
  const { sourceConfig } = agent();
  const wanted = { sourceConfig: { ...sourceConfig, resourceSpec: { cpu: 2 } } };
  const { patch, newRevision } = planOf({ wanted, dialect: langsmithDialect });
  expect(newRevision).toBe(true);
  expect(patch).toEqual({ sourceConfig: { resourceSpec: { cpu: 2 } } });
});

test.each(both)("a setting that makes no revision is sent alone", (dialect) => {
  const { sourceConfig } = agent();
  const { patch, newRevision, reasons } = planOf({
    wanted: { sourceConfig: { ...sourceConfig, buildOnPush: true } },
    dialect,
  });
  expect([patch, newRevision]).toEqual([{ sourceConfig: { buildOnPush: true } }, false]);
  expect(JSON.stringify(reasons)).not.toContain("take effect at the next revision");
});

test.each(both)("after a failure the source is sent again, whatever else changed", (dialect) => {
  const { patch, newRevision } = planOf({ lastRollout: "failed", dialect });
  expect(newRevision).toBe(true);
  expect(patch).toEqual({ sourceRevisionConfig: agent().sourceRevisionConfig });
});

describe("a rollout that has not settled", () => {
  test("is not waited for where that is not wanted", () => {
    const rollout = { wait: false };
    const given = { before: { rollout }, wanted: { rollout }, lastRollout: "unsettled" as const };
    expect(planOf(given)).toMatchObject({ action: "none", resumesWait: false });
  });

  test("is not waited for where a new revision takes its place", () => {
    const wanted = { sourceRevisionConfig: { repoRef: "v2" } };
    expect(planOf({ wanted, lastRollout: "unsettled" })).toMatchObject({
      newRevision: true,
      resumesWait: false,
    });
  });

  test("is not waited for where the deployment is replaced", () => {
    const given = { wanted: { name: "other" }, lastRollout: "unsettled" as const };
    expect(planOf(given)).toMatchObject({ action: "replace", resumesWait: false });
  });
});
