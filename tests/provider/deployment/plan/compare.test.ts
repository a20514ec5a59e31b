import { interfaceDialect, langsmithDialect } from "../../../../provider/control-plane/dialects";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { merge } from "../../../../provider/deployment/current";
import { plan } from "../../../../provider/deployment/plan/plan";
import type { DeploymentState } from "../../../../provider/deployment/state";
import { notKnownYet } from "../../../../provider/resource/inputs/unknown";
import { agent } from "../../world";
import { planFrom } from "../plan-from";

type Change = Partial<DeploymentInputs>;

interface Options {
  dialect?: typeof interfaceDialect;
  isSecret?: (path: string) => boolean;
}

function planOf(before: Change, wanted: Change, { dialect = interfaceDialect, isSecret }: Options = {}) {
  return planFrom({
    before: agent(before),
    wanted: agent(wanted),
    lastRollout: "deployed",
    dialect,
    ...(isSecret && { isSecret }),
  });
}

function effects(before: Change, wanted: Change, options?: Options) {
  return planOf(before, wanted, options).changes.map(
    ({ path, effect, unknown }) => `${path}: ${effect}${unknown ? "?" : ""}`,
  );
}

const unmanaged = { secrets: undefined };

describe("environment variables", () => {
  test.each<[string, Change, Change, string[]]>([
    [
      "a changed value",
      { ...unmanaged, environmentVariables: { A: "1", B: "1" } },
      { ...unmanaged, environmentVariables: { A: "2", B: "1" } },
      ["environmentVariables.A: patch"],
    ],
    [
      "an added and a removed name",
      { ...unmanaged, environmentVariables: { A: "1" } },
      { ...unmanaged, environmentVariables: { B: "1" } },
      ["environmentVariables.A: patch", "environmentVariables.B: patch"],
    ],
    [
      "a name that becomes a secret with the same value",
      { secrets: {}, environmentVariables: { A: "1" } },
      { secrets: { A: "1" }, environmentVariables: {} },
      ["secrets.A: state"],
    ],
    [
      "a name that becomes a secret with another value",
      { secrets: {}, environmentVariables: { A: "1" } },
      { secrets: { A: "2" }, environmentVariables: {} },
      ["secrets.A: patch"],
    ],
    [
      "secrets that become managed with a variable of the same value",
      { ...unmanaged, environmentVariables: { A: "1" } },
      { secrets: { A: "1" }, environmentVariables: undefined },
      ["secrets.A: state", "secrets: patch?"],
    ],
    [
      "variables that become managed with a secret of the same value",
      { secrets: { A: "1" }, environmentVariables: undefined },
      { secrets: {}, environmentVariables: { A: "1" } },
      ["environmentVariables.A: state", "environmentVariables: state"],
    ],
    [
      "variables that are no longer managed",
      { ...unmanaged, environmentVariables: { A: "1" } },
      { ...unmanaged, environmentVariables: undefined },
      ["environmentVariables: state"],
    ],
    [
      "variables that are no longer managed, with managed secrets",
      { secrets: {}, environmentVariables: { A: "1" } },
      { secrets: {}, environmentVariables: undefined },
      ["environmentVariables.A: patch"],
    ],
    [
      "secrets that are no longer managed, with managed variables",
      { secrets: { S: "1" }, environmentVariables: { A: "1" } },
      { secrets: undefined, environmentVariables: { A: "2" } },
      ["secrets: state", "environmentVariables.A: patch"],
    ],
    [
      "variables that are managed for the first time, without entries",
      { ...unmanaged, environmentVariables: undefined },
      { ...unmanaged, environmentVariables: {} },
      ["environmentVariables: state"],
    ],
    [
      "variables that are managed and unchanged",
      { ...unmanaged, environmentVariables: { A: "1" } },
      { ...unmanaged, environmentVariables: { A: "1" } },
      [],
    ],
    [
      "a map that is not known yet",
      { ...unmanaged, environmentVariables: { A: "1" } },
      { ...unmanaged, environmentVariables: notKnownYet as never },
      ["environmentVariables: patch?"],
    ],
    [
      "a value that is not known yet",
      { ...unmanaged, environmentVariables: { A: "1", B: "1" } },
      { ...unmanaged, environmentVariables: { A: notKnownYet as never, B: "1" } },
      ["environmentVariables.A: patch?"],
    ],
  ])("compares variables by name: %s", (_case, before, wanted, expected) => {
    expect(effects(before, wanted)).toEqual(expected);
  });

  test("shows the values of plain variables, but never those of a current or former secret", () => {
    const { changes } = planOf(
      { secrets: { WAS: "1", MARKED: "1" }, environmentVariables: { PLAIN: "1", BECOMES: "1" } },
      { secrets: { BECOMES: "2" }, environmentVariables: { PLAIN: "2", WAS: "2", MARKED: "2" } },
      { isSecret: (path) => path === "environmentVariables.MARKED" },
    );
    expect(changes.map(({ path, values }) => [path, values])).toEqual([
      ["secrets.BECOMES", undefined],
      ["environmentVariables.MARKED", undefined],
      ["environmentVariables.PLAIN", { from: "1", to: "2" }],
      ["environmentVariables.WAS", undefined],
    ]);
  });

  test("shows only the existing value of a variable that is added or removed", () => {
    const { changes } = planOf(
      { ...unmanaged, environmentVariables: { OLD: "1" } },
      { ...unmanaged, environmentVariables: { NEW: "2" } },
    );
    expect(changes.map(({ values }) => values)).toEqual([
      { from: undefined, to: "2" },
      { from: "1", to: undefined },
    ]);
  });

  test("hides a variable that the program marks as secret", () => {
    const { changes } = planOf(
      { ...unmanaged, environmentVariables: { A: "1" } },
      { ...unmanaged, environmentVariables: { A: "2" } },
      { isSecret: (path) => path === "environmentVariables.A" },
    );
    expect(changes).toEqual([{ path: "environmentVariables.A", effect: "patch" }]);
  });
});

describe("identity", () => {
  const agentOf = (environment: "development" | "production"): Change => ({
    name: undefined,
    agent: { agentId: "a", environment },
  });

  test.each<[string, Change, Change, string, string[]]>([
    ["another name", { name: "one" }, { name: "two" }, "replace", ["name: replace"]],
    [
      "another environment of an agent",
      agentOf("development"),
      agentOf("production"),
      "replace",
      ["agent: replace"],
    ],
    [
      "an agent that is declared for a named deployment",
      { name: "one" },
      { name: "one", agent: { agentId: "a", environment: "development" } },
      "update",
      ["agent: confirm"],
    ],
    ["an agent instead of a name", { name: "one" }, agentOf("development"), "update", ["agent: confirm"]],
    [
      "an agent that is no longer declared",
      { name: "one", agent: { agentId: "a", environment: "development" } },
      { name: "one" },
      "update",
      ["agent: state"],
    ],
    ["the same agent", agentOf("development"), agentOf("development"), "none", []],
  ])("compares %s", (_case, before, wanted, action, expected) => {
    const plan = planOf(before, wanted);
    expect([plan.action, plan.changes.map(({ path, effect }) => `${path}: ${effect}`)]).toEqual([
      action,
      expected,
    ]);
  });

  test.each<[string, string | null | undefined, string | null | undefined, boolean]>([
    ["no address", undefined, undefined, false],
    ["the same address", "https://a.example.com", "https://a.example.com", true],
    ["another address", "https://a.example.com", "https://b.example.com", false],
    ["an address that is cleared", "https://a.example.com", null, false],
    ["an address that is not known yet", "https://a.example.com", notKnownYet as never, true],
  ])(
    "deletes a renamed deployment before its replacement only if necessary: %s",
    (_case, from, to, deletesFirst) => {
      const { sourceConfig } = agent();
      const plan = planOf(
        { name: "one", sourceConfig: { ...sourceConfig, customUrl: from } },
        { name: "two", sourceConfig: { ...sourceConfig, customUrl: to } },
        { dialect: langsmithDialect },
      );
      expect([plan.action, plan.deletesFirst]).toEqual(["replace", deletesFirst]);
    },
  );
});

describe("folders", () => {
  const folder = (config: object): Change => ({
    source: "internal_source",
    sourceRevisionConfig: { folder: "app", graphConfigPath: "langgraph.json", ...config },
  });

  test.each<[string, object, object, string[]]>([
    [
      "the same contents in another folder",
      { contentHash: "1" },
      { folder: "other", dependencyFolders: ["../shared"], graphConfigPath: "a.json", contentHash: "1" },
      [
        "sourceRevisionConfig.graphConfigPath: state",
        "sourceRevisionConfig.folder: state",
        "sourceRevisionConfig.dependencyFolders: state",
      ],
    ],
    [
      "other contents in the same folder",
      { contentHash: "1" },
      { contentHash: "2" },
      ["sourceRevisionConfig.contentHash: revision"],
    ],
    [
      "other contents in another folder",
      { contentHash: "1" },
      { folder: "other", contentHash: "2" },
      ["sourceRevisionConfig.folder: revision", "sourceRevisionConfig.contentHash: revision"],
    ],
    [
      "another folder with unknown contents",
      {},
      { folder: "other" },
      ["sourceRevisionConfig.folder: revision"],
    ],
    [
      "an unknown folder",
      { contentHash: "1" },
      { folder: notKnownYet },
      ["sourceRevisionConfig.folder: revision?", "sourceRevisionConfig.contentHash: revision?"],
    ],
    [
      "a folder with an unknown dependency",
      { contentHash: "1" },
      { dependencyFolders: [notKnownYet] },
      ["sourceRevisionConfig.dependencyFolders: revision?", "sourceRevisionConfig.contentHash: revision?"],
    ],
    [
      "a folder with an unknown configuration path",
      { contentHash: "1" },
      { graphConfigPath: notKnownYet },
      ["sourceRevisionConfig.graphConfigPath: revision?", "sourceRevisionConfig.contentHash: revision?"],
    ],
    [
      "another ref with the same contents",
      { contentHash: "1", repoRef: "v1" },
      { contentHash: "1", repoRef: "v2" },
      ["sourceRevisionConfig.repoRef: revision"],
    ],
  ])("compares %s", (_case, before, wanted, expected) => {
    expect(effects(folder(before), folder(wanted)).sort()).toEqual(expected.sort());
  });
});

describe("ownership", () => {
  const lost = (adopt: DeploymentInputs["adopt"], dialect: typeof interfaceDialect, change: Change = {}) =>
    planFrom({
      before: agent({ adopt }),
      wanted: agent({ adopt, ...change }),
      lastRollout: "deployed",
      dialect,
      isLost: true,
    }).reasons.map(({ code }) => code);
  const other: Change = { sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" } };

  test.each([
    ["ifOwned", interfaceDialect, {}, "lost"],
    ["never", langsmithDialect, {}, "lost"],
    ["always", interfaceDialect, {}, "taken-back"],
    ["always", interfaceDialect, other, "taken-back"],
    ["always", langsmithDialect, {}, "taken-back-with-revision"],
    ["always", langsmithDialect, other, "taken-back"],
  ] as const)("reports another owner of the deployment (adopt: %s)", (adopt, dialect, change, code) => {
    expect(lost(adopt, dialect, change)).toContain(code);
  });

  test.each([
    ["ifOwned", "lost"],
    ["always", "taken-back"],
  ] as const)("reports another owner of a deployment that will be replaced (adopt: %s)", (adopt, code) => {
    expect(lost(adopt, langsmithDialect, { name: "other" })).toEqual([code, "replace-create-first"]);
  });

  test("does not report the owner of a deployment that the resource itself owns", () => {
    expect(planOf({}, {}).reasons).toEqual([]);
  });
});

test("records provider-only inputs in state, without a request", () => {
  expect(effects({}, { adopt: "always", deletionProtection: true })).toEqual([
    "adopt: state",
    "deletionProtection: state",
  ]);
});

test("sends an empty map of variables if the state has only a digest of the previous ones", () => {
  const before = agent(unmanaged);
  const { changes } = plan({
    current: { before, inputs: before, unknown: ["environmentVariables"] },
    wanted: agent({ ...unmanaged, environmentVariables: {} }),
    lastRollout: "deployed",
    dialect: interfaceDialect,
  });
  expect(changes).toEqual([{ path: "environmentVariables", effect: "patch" }]);
});

describe("settings that a dialect cannot change", () => {
  test.each<[Change, Change, string[]]>([
    [{}, { shareable: true }, ["shareable: confirm"]],
    [{ shareable: true }, { shareable: null }, ["shareable: confirm"]],
    [{ shareable: true }, { shareable: false }, ["shareable: replace"]],
    [{ shareable: true }, {}, ["shareable: state"]],
  ])("replaces the deployment only if one value changes to another: %j → %j", (before, wanted, expected) => {
    expect(effects(before, wanted)).toEqual(expected);
  });
});

describe("names", () => {
  const production = { agentId: "support", environment: "production" as const };

  test.each<[string, Change, Change, string[]]>([
    [
      "a generated name",
      { name: "generated", agent: production },
      { name: undefined, agent: production },
      [],
    ],
    [
      "a generated name of a new agent",
      { name: "a" },
      { name: undefined, agent: production },
      ["agent: confirm"],
    ],
    ["a name without an agent", { name: "a" }, { name: undefined }, ["name: replace"]],
    ["another name", { name: "a" }, { name: "b" }, ["name: replace"]],
    [
      "a name instead of an agent",
      { name: undefined, agent: production },
      { name: "b" },
      ["name: replace", "agent: state"],
    ],
  ])("compares %s", (_case, before, wanted, expected) => {
    expect(effects(before, wanted)).toEqual(expected);
  });
});

describe("the source of a revision", () => {
  const theirs = { id: "d", latest_revision_id: "r-2", source_revision_config: { repo_ref: "theirs" } };
  const ours = { ...theirs, latest_revision_id: "r-1" };

  function patchOf(record: object, before: Change, wanted: Change) {
    const state = { ...agent(before), latestRevisionId: "r-1" } as DeploymentState;
    return plan({
      current: merge(state, { record: { id: "d", ...record }, ownerId: "owner" }),
      wanted: agent(wanted),
      lastRollout: "deployed",
      dialect: langsmithDialect,
    });
  }

  test.each<[string, object, Change, Change, boolean]>([
    ["secrets after a foreign revision", theirs, { secrets: {} }, { secrets: { A: "1" } }, true],
    ["secrets after its own revision", ours, { secrets: {} }, { secrets: { A: "1" } }, false],
    ["a size after a foreign revision", theirs, { computeTier: "S" }, { computeTier: "M" }, false],
    ["a display name after a foreign revision", theirs, {}, { displayName: "Support" }, false],
  ])("is sent only if necessary with a change to %s", (_, record, before, wanted, isSent) => {
    const { patch } = patchOf(record, before, wanted);
    expect(patch?.sourceRevisionConfig !== undefined).toBe(isSent);
  });

  test("is not sent if only the size changes, because that change creates a revision", () => {
    expect(patchOf(ours, { computeTier: "S" }, { computeTier: "M" })).toMatchObject({
      tiers: { computeTier: "M" },
      newRevision: true,
    });
  });
});

describe("secrets of the next revision", () => {
  test.each<[string, Change, Change, boolean]>([
    ["changed secrets", { secrets: { A: "1" } }, { secrets: { A: "2" } }, true],
    ["another setting", {}, { displayName: "Support" }, false],
    [
      "a variable that becomes a secret",
      { secrets: {}, environmentVariables: { A: "1" } },
      { secrets: { A: "1" }, environmentVariables: {} },
      false,
    ],
    [
      "secrets that create a revision",
      { secrets: { A: "1" } },
      { secrets: { A: "2" }, rollout: { onSecretChange: "revise" } },
      false,
    ],
  ])("adds the reason for deferred secrets only if necessary: %s", (_, before, wanted, expected) => {
    const codes = planOf(before, wanted).reasons.map(({ code }) => code);
    expect(codes.includes("secrets-later")).toBe(expected);
  });
});
