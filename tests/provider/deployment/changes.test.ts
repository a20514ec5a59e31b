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
] as const)("records a changed rollout.%s in state and sends nothing", (field, value) => {
  const { action, changes, patch, newRevision } = planOf({ wanted: { rollout: { [field]: value } } });
  expect(changes.map(({ path, effect }) => [path, effect])).toEqual([[`rollout.${field}`, "state"]]);
  expect([action, patch, newRevision]).toEqual(["update", undefined, false]);
});

test("plans a confirmation instead of a replacement for a field that is null in state", () => {
  const { sourceConfig } = agent();
  const { action, changes } = planOf({
    before: { sourceConfig: { ...sourceConfig, integrationId: null } },
    wanted: { sourceConfig: { ...sourceConfig, integrationId: "one" } },
  });
  expect(action).toBe("update");
  expect(changes.map(({ effect }) => effect)).toEqual(["confirm"]);
});

describe("secrets", () => {
  test("plans nothing if secrets are omitted both before and after", () => {
    expect(planOf({ before: { secrets: undefined }, wanted: { secrets: undefined } }).action).toBe("none");
  });

  test("keeps them on the control plane if they are no longer declared", () => {
    const { changes, patch } = planOf({ wanted: { secrets: undefined } });
    expect(changes).toEqual([{ path: "secrets", effect: "state" }]);
    expect(patch).toBeUndefined();
  });

  test("clears them if an empty map is declared for the first time", () => {
    const { changes, patch } = planOf({ before: { secrets: undefined }, wanted: { secrets: {} } });
    expect(changes).toEqual([{ path: "secrets", effect: "patch", unknown: true }]);
    expect(patch).toEqual({ environment: "required" });
  });

  test("plans nothing for a map that remains empty", () => {
    expect(planOf({ before: { secrets: {} }, wanted: { secrets: {} } }).action).toBe("none");
  });

  test("plans a change only to the unknown secret", () => {
    const { changes } = planOf({ wanted: { secrets: { MODEL_KEY: notKnownYet as never } } });
    expect(changes).toEqual([{ path: "secrets.MODEL_KEY", effect: "patch", unknown: true }]);
  });

  test("plans one change if the whole map is unknown", () => {
    const { changes } = planOf({ wanted: { secrets: notKnownYet as never } });
    expect(changes).toEqual([{ path: "secrets", effect: "patch", unknown: true }]);
  });

  test("plans one change per secret if they are declared for the first time", () => {
    const { changes } = planOf({ before: { secrets: undefined } });
    expect(changes).toEqual([{ path: "secrets.MODEL_KEY", effect: "patch" }]);
  });

  test("lists them by name, in order", () => {
    const { changes } = planOf({ before: { secrets: { B: "1" } }, wanted: { secrets: { C: "1", A: "1" } } });
    expect(changes.map(({ path }) => path)).toEqual(["secrets.A", "secrets.B", "secrets.C"]);
  });

  test("omits the source if a change to secrets creates the revision", () => {
    const wanted = { secrets: { MODEL_KEY: `${canary}-2` } };
    expect(planOf({ wanted, dialect: langsmithDialect })).toMatchObject({
      newRevision: true,
      patch: { environment: "required" },
    });
    expect(planOf({ wanted, dialect: langsmithDialect }).patch).not.toHaveProperty("sourceRevisionConfig");
  });

  test("sends the source if nothing else creates the requested revision", () => {
    const wanted = { secrets: { MODEL_KEY: `${canary}-2` }, rollout: { onSecretChange: "revise" as const } };
    expect(planOf({ wanted }).patch).toEqual({
      environment: "required",
      sourceRevisionConfig: agent().sourceRevisionConfig,
    });
  });

  test.each(both)("sends them together with a changed ref", (dialect) => {
    const { sourceRevisionConfig } = agent({ sourceRevisionConfig: { repoRef: "v2" } });
    const wanted = { secrets: { MODEL_KEY: `${canary}-2` }, sourceRevisionConfig };
    const { patch, reasons } = planOf({ wanted, dialect });
    expect(patch).toEqual({ environment: "required", sourceRevisionConfig });
    expect(JSON.stringify(reasons)).not.toContain("take effect with the next revision");
  });
});

test("omits the source if a setting creates the revision", () => {
  const { sourceConfig } = agent();
  const wanted = { sourceConfig: { ...sourceConfig, resourceSpec: { cpu: 2 } } };
  const { patch, newRevision } = planOf({ wanted, dialect: langsmithDialect });
  expect(newRevision).toBe(true);
  expect(patch).toEqual({ sourceConfig: { resourceSpec: { cpu: 2 } } });
});

test.each(both)("sends only the setting if it does not create a revision", (dialect) => {
  const { sourceConfig } = agent();
  const { patch, newRevision, reasons } = planOf({
    wanted: { sourceConfig: { ...sourceConfig, buildOnPush: true } },
    dialect,
  });
  expect([patch, newRevision]).toEqual([{ sourceConfig: { buildOnPush: true } }, false]);
  expect(JSON.stringify(reasons)).not.toContain("take effect with the next revision");
});

test.each(both)("sends the source again after a failure, regardless of other changes", (dialect) => {
  const { patch, newRevision } = planOf({ lastRollout: "failed", dialect });
  expect(newRevision).toBe(true);
  expect(patch).toEqual({ sourceRevisionConfig: agent().sourceRevisionConfig });
});

describe("an unsettled rollout", () => {
  test("is not waited for if the program does not wait", () => {
    const rollout = { wait: false };
    const given = { before: { rollout }, wanted: { rollout }, lastRollout: "unsettled" as const };
    expect(planOf(given)).toMatchObject({ action: "none", resumesWait: false });
  });

  test("is not waited for if a new revision replaces it", () => {
    const wanted = { sourceRevisionConfig: { repoRef: "v2" } };
    expect(planOf({ wanted, lastRollout: "unsettled" })).toMatchObject({
      newRevision: true,
      resumesWait: false,
    });
  });

  test("is not waited for if the deployment is replaced", () => {
    const given = { wanted: { name: "other" }, lastRollout: "unsettled" as const };
    expect(planOf(given)).toMatchObject({ action: "replace", resumesWait: false });
  });
});
