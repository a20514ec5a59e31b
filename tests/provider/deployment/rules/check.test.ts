import { interfaceDialect, langsmithDialect } from "../../../../provider/control-plane/dialects";
import { checkInputs } from "../../../../provider/deployment/rules/check";
import { notKnownYet } from "../../../../provider/resource/inputs/unknown";
import type { Props } from "../../../../provider/resource/inputs/values";
import { agent, canary } from "../../world";

const check = (change: Props) => checkInputs({ ...agent(), ...change }, interfaceDialect);

test("accepts valid inputs", () => {
  expect(check({})).toEqual([]);
  expect(
    check({ rollout: { timeout: "1h30m", wait: true, triggers: [1, { a: null }] }, adopt: "always" }),
  ).toEqual([]);
});

test("accepts unusual values, which the control plane validates", () => {
  expect(check({ name: ` Ünsere "Agenten" ${"x".repeat(230)}`, source: "a source of tomorrow" })).toEqual([]);
  const command = { repoUrl: "git@host:a b", installCommand: "cd app\n\tmake\r\n" };
  expect(checkInputs({ ...agent(), sourceConfig: command }, langsmithDialect)).toEqual([]);
});

test.each<[string, Props, string]>([
  ["name", { name: undefined }, "is required; in the langsmith dialect, `agent` may be specified instead"],
  ["name", { name: "" }, "must not be empty"],
  ["name", { name: " \n" }, "must not be blank"],
  ["name", { name: "a\nb" }, "must not contain control characters, such as a line break"],
  ["name", { name: "a".repeat(256) }, "must have at most 255 characters"],
  ["source", { source: "  " }, "must not be blank"],
  ["source", { source: 7 }, "invalid input: expected string, received number"],
  ["sourceConfig", { sourceConfig: undefined }, "is required"],
  ["sourceConfig.repoUrl", { sourceConfig: { repoUrl: "" } }, "must not be empty"],
  ["sourceConfig.repoUrl", { sourceConfig: { repoUrl: "   " } }, "must not be blank"],
  [
    "sourceConfig.listenerConfig.k8sNamespace",
    { sourceConfig: { listenerConfig: { k8sNamespace: " " } } },
    "must not be blank",
  ],
  [
    "sourceConfig.buildCommand",
    { sourceConfig: { buildCommand: "make\0" } },
    "must not contain control characters other than tabs and line breaks",
  ],
  [
    "sourceRevisionConfig.repoRef",
    { sourceRevisionConfig: { repoRef: "v1\u0085" } },
    "must not contain control characters, such as a line break",
  ],
  [
    "sourceConfig.buildOnPush",
    { sourceConfig: { buildOnPush: "yes" } },
    "invalid input: expected boolean, received string",
  ],
  [
    "sourceConfig.resourceSpec",
    { sourceConfig: { resourceSpec: [] } },
    "invalid input: expected record, received array",
  ],
  [
    "sourceRevisionConfig.repoRef",
    { sourceRevisionConfig: { repoRef: 1 } },
    "invalid input: expected string, received number",
  ],
  [
    "secrets.MODEL-KEY",
    { secrets: { "MODEL-KEY": canary } },
    "must be a valid name of an environment variable",
  ],
  ["secrets.MODEL_KEY", { secrets: { MODEL_KEY: 5 } }, "invalid input: expected string, received number"],
  [
    "secrets.A",
    { secrets: { A: `${canary}\0tail` } },
    "must not contain a null byte, because environment variables cannot contain one",
  ],
  [
    "secrets",
    { secrets: { AGENTSERVER_OWNER: canary } },
    "must not contain AGENTSERVER_OWNER: the provider stores the ownership tag there",
  ],
  [
    "rollout.timeout",
    { rollout: { timeout: "soon" } },
    'must be a positive duration of at most 24h, such as "30m", "1h30m", or "45s"',
  ],
  [
    "rollout.onConflict",
    { rollout: { onConflict: "x" } },
    'invalid option: expected one of "proceed"|"fail"',
  ],
  ["adopt", { adopt: true }, 'invalid option: expected one of "never"|"ifOwned"|"always"'],
])("reports why %s is invalid (%#)", (property, change, reason) => {
  expect(check(change)).toEqual([{ property, reason }]);
});

test.each([
  [
    "secrets.BIG",
    { secrets: { BIG: "x".repeat(200_000), LATER: notKnownYet } },
    "must be shorter: Linux accepts an environment variable of at most 128 KiB, including its name",
  ],
  [
    "rollout.onFailure",
    { rollout: { wait: false, onFailure: "rollback", timeout: notKnownYet } },
    "requires rollout.wait, which waits for the result of the rollout",
  ],
  ["secrets.A-B", { secrets: { "A-B": notKnownYet } }, "must be a valid name of an environment variable"],
])("rejects an invalid %s, regardless of unknown values", (property, change, reason) => {
  expect(check(change)).toEqual([{ property, reason }]);
});

test("reports all failures at once, without revealing secrets", () => {
  const failures = check({
    name: 1,
    secrets: { "a b": canary, OTHER: [canary] },
    sourceConfig: { repoUrl: 2 },
  });
  expect(failures.map(({ property }) => property).sort()).toEqual([
    "name",
    "secrets.OTHER",
    "secrets.a b",
    "sourceConfig.repoUrl",
  ]);
  expect(JSON.stringify(failures)).not.toContain(canary);
});

test.each<[string, Props, string]>([
  ["sourceConfig.repo_url", { sourceConfig: { repo_url: "x" } }, "repoUrl"],
  ["sourceConfig.buildonpush", { sourceConfig: { buildonpush: true } }, "buildOnPush"],
  [
    "sourceRevisionConfig.graph_config_path",
    { sourceRevisionConfig: { graph_config_path: "x" } },
    "graphConfigPath",
  ],
  ["rollout.on-conflict", { rollout: { "on-conflict": "fail" } }, "onConflict"],
  ["source_config", { source_config: {} }, "sourceConfig"],
])("suggests the intended field name for %s", (property, change, meant) => {
  expect(check(change)).toEqual([{ property, reason: `is not a field; did you mean ${meant}?` }]);
});

test("lists the allowed fields if a field is unknown", () => {
  expect(check({ rollout: { speed: 1 } })).toEqual([
    {
      property: "rollout.speed",
      reason:
        "is not a field; the fields are wait, timeout, triggers, onSecretChange, onConflict, onFailure, verify",
    },
  ]);
});

describe("unknown values in a preview", () => {
  test.each<[string, Props]>([
    ["a string", { name: notKnownYet }],
    ["a Boolean", { sourceConfig: { buildOnPush: notKnownYet } }],
    ["a whole group", { sourceConfig: notKnownYet, sourceRevisionConfig: notKnownYet, rollout: notKnownYet }],
    ["the map of secrets", { secrets: notKnownYet }],
    ["one secret", { secrets: { MODEL_KEY: notKnownYet } }],
    ["a nested value in resourceSpec", { sourceConfig: { resourceSpec: { labels: { a: notKnownYet } } } }],
    ["the triggers", { rollout: { triggers: notKnownYet } }],
    ["one trigger", { rollout: { triggers: [notKnownYet] } }],
    [
      "a duration and an option",
      { rollout: { timeout: notKnownYet, onConflict: notKnownYet }, adopt: notKnownYet },
    ],
  ])("accepts %s", (_what, change) => {
    expect(check(change)).toEqual([]);
  });

  test("reports invalid values in addition to unknown ones", () => {
    const failures = check({
      name: notKnownYet,
      sourceConfig: { repoUrl: notKnownYet, repo_ref: "x", buildOnPush: 3 },
      secrets: { "bad name": notKnownYet },
      surprise: 1,
    });
    expect(failures.map(({ property }) => property).sort()).toEqual([
      "secrets.bad name",
      "sourceConfig.buildOnPush",
      "sourceConfig.repo_ref",
      "surprise",
    ]);
  });
});

describe("null", () => {
  test.each(["customUrl", "resourceSpec"])("clears sourceConfig.%s", (field) => {
    expect(check({ sourceConfig: { [field]: null } })).toEqual([]);
  });

  test("clears sourceRevisionConfig.imageUri", () => {
    expect(check({ sourceRevisionConfig: { imageUri: null } })).toEqual([]);
  });

  test.each([
    ["sourceConfig", "repoUrl"],
    ["sourceConfig", "integrationId"],
    ["sourceConfig", "buildOnPush"],
    ["sourceRevisionConfig", "repoRef"],
    ["sourceRevisionConfig", "graphConfigPath"],
  ])("is rejected for %s.%s", (group, field) => {
    expect(check({ [group]: { [field]: null } })).toEqual([
      {
        property: `${group}.${field}`,
        reason: "cannot be cleared with null; omit it to let the control plane choose",
      },
    ]);
  });
});
