import { fc } from "../../properties";
import { merge } from "../../../provider/deployment/current";
import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import { toCreateBody } from "../../../provider/deployment/mapping";
import type { DeploymentState } from "../../../provider/deployment/state";
import { interfaceDialect } from "../../../provider/control-plane/dialects";
import { type DeploymentRecord, formatTag } from "../../../wire";
import { dialects, inputs } from "./arbitraries";
import { agent } from "../world";

const holder = { organization: "acme", project: "shop", stack: "prod", resource: "agent" };
const whole = { ownerId: "owner", revisions: 1, since: "2026-01-01T00:00:00.000Z", holder };
const tag = formatTag(whole);

/** Returns the managed inputs, updated with the current values of a deployment. */
const merged = (state: DeploymentInputs, record: DeploymentRecord) =>
  merge(state as DeploymentState, { record, ownerId: "owner" }).inputs;

const record = (change: object = {}) => ({
  id: "d",
  ...toCreateBody(agent(), tag, interfaceDialect),
  ...change,
});
const commit = "0123456789abcdef0123456789abcdef01234567";

test("does not show a difference immediately after a create", () => {
  fc.assert(
    fc.property(inputs, dialects, (one, dialect) => {
      const made = merged(one, { id: "d", ...toCreateBody(one, tag, dialect) });
      expect(JSON.parse(JSON.stringify(made))).toEqual(JSON.parse(JSON.stringify(one)));
    }),
  );
});

test("does not show a difference if the server reports nothing", () => {
  fc.assert(
    fc.property(inputs, (one) => {
      expect(JSON.parse(JSON.stringify(merged(one, { id: "d" })))).toEqual(JSON.parse(JSON.stringify(one)));
    }),
  );
});

test("keeps a branch that the server resolved to a commit", () => {
  const built = record({ source_revision_config: { repo_ref: commit, graph_config_path: "langgraph.json" } });
  expect(merged(agent(), built)).toEqual(agent());
});

test("shows a commit that differs from the pinned one", () => {
  const pinned = agent({ sourceRevisionConfig: { repoRef: commit.replace("0", "f") } });
  const built = record({ source_revision_config: { repo_ref: commit } });
  expect(merged(pinned, built).sourceRevisionConfig).toEqual({ repoRef: commit });
});

test("shows a different branch", () => {
  const theirs = record({
    source_revision_config: { repo_ref: "theirs", graph_config_path: "langgraph.json" },
  });
  expect(merged(agent(), theirs).sourceRevisionConfig.repoRef).toBe("theirs");
});

test("ignores fields that the program leaves to the server", () => {
  const filled = record({
    source_config: {
      ...record().source_config,
      custom_url: "https://x",
      resource_spec: { cpu: 1 },
      integration_id: "i",
    },
    source_revision_config: { ...record().source_revision_config, image_uri: "built:1" },
  });
  expect(merged(agent(), filled)).toEqual(agent());
});

test("shows a value if the program cleared the field", () => {
  const cleared = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: null } });
  const theirs = record({ source_config: { ...record().source_config, custom_url: "https://x" } });
  expect(merged(cleared, theirs).sourceConfig.customUrl).toBe("https://x");
});

test.each([
  ["ignores the image that a repository was built into", { repo_ref: "v1", image_uri: "built:1" }, null],
  ["shows an image instead of a repository", { image_uri: "theirs:1" }, "theirs:1"],
])("%s if the program cleared imageUri", (_name, source_revision_config, imageUri) => {
  const sourceRevisionConfig = { repoRef: "v1", imageUri: null };
  const { sourceRevisionConfig: found } = merged(
    agent({ sourceRevisionConfig }),
    record({ source_revision_config }),
  );
  expect(found).toEqual({ repoRef: "v1", imageUri });
});

test("ignores the deployment's own address if the program cleared customUrl", () => {
  const cleared = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: null } });
  const reporting = (custom_url: string) =>
    record({ url: "https://own", source_config: { ...record().source_config, custom_url } });
  expect(merged(cleared, reporting("https://own"))).toEqual(cleared);
  expect(merged(cleared, reporting("https://x")).sourceConfig.customUrl).toBe("https://x");
  const given = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: "https://own" } });
  expect(merged(given, reporting("https://own"))).toEqual(given);
});

test("shows the branch that is reported together with the commit", () => {
  const built = (repo_branch: string) =>
    record({ source_config: { repo_branch }, source_revision_config: { repo_ref: commit } });
  const repoRef = (branch: string) => merged(agent(), built(branch)).sourceRevisionConfig.repoRef;
  expect(repoRef("v1")).toBe("v1");
  expect(repoRef("hotfix")).toBe("hotfix");
});

test("leaves a resourceSpec key that is null to the server", () => {
  const spec = (resourceSpec: Record<string, unknown>) =>
    agent({ sourceConfig: { ...agent().sourceConfig, resourceSpec } });
  const theirs = record({
    source_config: {
      ...record().source_config,
      resource_spec: { cpu: 2, memory_mb: 512, labels: { a: "b" } },
    },
  });
  const drift = (wanted: Record<string, unknown>) => merged(spec(wanted), theirs).sourceConfig.resourceSpec;
  expect(drift({ cpu: 2, memoryMb: null })).toEqual({ cpu: 2, memoryMb: null });
  expect(drift({ cpu: 2, labels: { a: "b", c: null } })).toEqual({ cpu: 2, labels: { a: "b", c: null } });
  expect(drift({ cpu: 1, memoryMb: null })).toEqual({ cpu: 2, memoryMb: 512, labels: { a: "b" } });
});

test("does not distinguish zeros by their sign", () => {
  const spec = (cpu: unknown) =>
    agent({ sourceConfig: { ...agent().sourceConfig, resourceSpec: { cpu, list: [cpu] } } });
  const theirs = record({
    source_config: { ...record().source_config, resource_spec: { cpu: -0, list: [-0] } },
  });
  expect(merged(spec(0), theirs)).toEqual(spec(0));
});

describe("the merge of the state and the server's record", () => {
  const spec = (resourceSpec: object) => ({ sourceConfig: { resourceSpec } }) as Partial<DeploymentInputs>;
  const secrets = (entries: Record<string, string | null>, value: string | null = tag) => ({
    latest_revision_id: "r-1",
    secrets: [
      ...Object.entries(entries).map(([name, value]) => ({ name, value })),
      ...(value === null ? [] : [{ name: "AGENTSERVER_OWNER", value }]),
    ],
  });
  const source = (source_config: object) => ({ source_config });
  const listing = (...variables: string[]) =>
    formatTag({ ownerId: "owner", revisions: 1, since: "2026-01-01T00:00:00.000Z", holder, variables });

  const uploaded = (contentHash: string) =>
    secrets({}, formatTag({ ...whole, content: { contentHash, objectPathHash: "0".repeat(16) } }));

  test.each<[string, Partial<DeploymentInputs>, object, Partial<DeploymentInputs>]>([
    ["a secret that is reported", { secrets: { A: "1" } }, secrets({ A: "1" }), { secrets: { A: "1" } }],
    ["a secret that is not reported", { secrets: { A: "1" } }, {}, { secrets: { A: "1" } }],
    [
      "an empty list before the first revision",
      { secrets: { A: "1" } },
      { secrets: [] },
      { secrets: { A: "1" } },
    ],
    [
      "a secret without a reported value",
      { secrets: { A: "1" } },
      secrets({ A: null }),
      { secrets: { A: "1" } },
    ],
    ["a masked secret", { secrets: { A: "1" } }, secrets({ A: "***" }, "***"), { secrets: { A: "1" } }],
    [
      "a masked plain variable",
      { secrets: { S: "1" }, environmentVariables: { A: "1" } },
      secrets({ A: "***", S: "***" }, "***"),
      { secrets: { S: "1" }, environmentVariables: { A: "1" } },
    ],
    [
      "a secret whose value looks like a mask",
      { secrets: { A: "1" } },
      secrets({ A: "***" }),
      { secrets: { A: "***" } },
    ],
    ["a secret that others changed", { secrets: { A: "1" } }, secrets({ A: "2" }), { secrets: { A: "2" } }],
    [
      "a secret that others added",
      { secrets: { A: "1" } },
      secrets({ A: "1", B: "2" }),
      { secrets: { A: "1", B: "2" } },
    ],
    ["a secret that others removed", { secrets: { A: "1" } }, secrets({}), { secrets: {} }],
    [
      "a masked secret that others removed",
      { secrets: { A: "1", B: "2" } },
      secrets({ A: "*" }, "*"),
      { secrets: { A: "1" } },
    ],
    [
      "a masked secret that others added",
      { secrets: { A: "1" } },
      secrets({ A: "*", B: "*" }, "*"),
      { secrets: { A: "1", B: "" } },
    ],
    [
      "a secret in a record without a tag",
      { secrets: { A: "1" } },
      secrets({ A: "2" }, null),
      { secrets: { A: "2" } },
    ],
    [
      "a secret that others added to a record without a tag",
      { secrets: { A: "1" } },
      secrets({ A: "1", B: "2" }, null),
      { secrets: { A: "1", B: "2" } },
    ],
    ["unmanaged secrets", { secrets: undefined }, secrets({ A: "1" }), { secrets: undefined }],
    [
      "plain variables that others set",
      { secrets: undefined, environmentVariables: { A: "1" } },
      secrets({ A: "2", B: "1" }),
      { secrets: undefined, environmentVariables: { A: "2" } },
    ],
    [
      "a plain variable that an interrupted update added",
      { secrets: undefined, environmentVariables: { A: "1" } },
      secrets({ A: "1", B: "1" }, listing("A", "B")),
      { secrets: undefined, environmentVariables: { A: "1", B: "1" } },
    ],
    [
      "a secret that an interrupted update made plain",
      { secrets: { B: "1" }, environmentVariables: { A: "1" } },
      secrets({ A: "1", B: "1" }, listing("A", "B")),
      { secrets: { B: "1" }, environmentVariables: { A: "1" } },
    ],
    [
      "plain variables in the tag that are no longer managed",
      { secrets: { A: "1" } },
      secrets({ A: "1", B: "2" }, listing("B")),
      { secrets: { A: "1", B: "2" }, environmentVariables: undefined },
    ],
    [
      "no plain variables",
      { secrets: undefined, environmentVariables: {} },
      secrets({ B: "2" }),
      { secrets: undefined, environmentVariables: {} },
    ],
    ["a setting that is reported", { displayName: "A" }, { display_name: "B" }, { displayName: "B" }],
    ["a setting that is not reported", { displayName: "A" }, {}, { displayName: "A" }],
    ["a setting that is not managed", {}, { display_name: "B" }, {}],
    [
      "a deployment type under its alias",
      { sourceConfig: { deploymentType: "prod" } },
      source({ deployment_type: "dedicated" }),
      { sourceConfig: { deploymentType: "prod" } },
    ],
    [
      "a resource specification with defaults",
      spec({ cpu: 1 }),
      source({ resource_spec: { cpu: 1, min_scale: 1 } }),
      spec({ cpu: 1 }),
    ],
    [
      "a resource specification that others changed",
      spec({ cpu: 1 }),
      source({ resource_spec: { cpu: 2, min_scale: 1 } }),
      spec({ cpu: 2, minScale: 1 }),
    ],
    ["a resource specification that is not reported", spec({ cpu: 1 }), source({}), spec({ cpu: 1 })],
    [
      "a resource specification whose inner keys others removed",
      spec({ cpu: 1, labels: { a: "b" } }),
      source({ resource_spec: { cpu: 1 } }),
      spec({ cpu: 1 }),
    ],
    [
      "a field that is undefined",
      { sourceConfig: { customUrl: undefined } },
      source({ custom_url: "https://x" }),
      { sourceConfig: {} },
    ],
    [
      "another field in addition to the deployment's own address",
      { sourceConfig: { customUrl: null, buildOnPush: true } },
      { url: "https://own", ...source({ custom_url: "https://own", build_on_push: false }) },
      { sourceConfig: { customUrl: null, buildOnPush: false } },
    ],
    [
      "secret references that others added",
      { secretReferences: {} },
      { secret_references: [{ name: "TOKEN", secret_name: "s", secret_key: "k" }] },
      { secretReferences: { TOKEN: { secretName: "s", secretKey: "k" } } },
    ],
    [
      "another image of a deployment without a repository",
      { sourceRevisionConfig: { imageUri: "ours:1" } },
      { source_revision_config: { repo_ref: "v1", image_uri: "theirs:1" } },
      { sourceRevisionConfig: { imageUri: "theirs:1" } },
    ],
    [
      "a cleared image of a deployment without a repository",
      { sourceRevisionConfig: { imageUri: null } },
      { source_revision_config: { repo_ref: "v1", image_uri: "theirs:1" } },
      { sourceRevisionConfig: { imageUri: "theirs:1" } },
    ],
    [
      "another agent",
      { agent: { agentId: "support", environment: "production" } },
      { agent: { agent_id: "sales", environment: "staging" } },
      { agent: { agentId: "sales", environment: "staging" } },
    ],
    [
      "an agent that is not reported",
      { agent: { agentId: "support", environment: "production" } },
      {},
      { agent: { agentId: "support", environment: "production" } },
    ],
    [
      "an agent that the program does not specify",
      { agent: undefined },
      { agent: { agent_id: "sales", environment: "staging" } },
      { agent: undefined },
    ],
    [
      "the upload of a folder",
      { sourceRevisionConfig: { folder: ".", contentHash: "a".repeat(64) } },
      uploaded("a".repeat(64)),
      { sourceRevisionConfig: { folder: ".", contentHash: "a".repeat(64) } },
    ],
    [
      "another upload of a folder",
      { sourceRevisionConfig: { folder: ".", contentHash: "a".repeat(64) } },
      uploaded("b".repeat(64)),
      { sourceRevisionConfig: { folder: ".", contentHash: "b".repeat(64) } },
    ],
    [
      "an upload that is not reported",
      { sourceRevisionConfig: { folder: ".", contentHash: "a".repeat(64) } },
      {},
      { sourceRevisionConfig: { folder: ".", contentHash: "a".repeat(64) } },
    ],
    ["another name", { name: "a" }, { name: "b" }, { name: "b" }],
    ["another source", { source: "github" }, { source: "external_docker" }, { source: "external_docker" }],
  ])("merges %s", (_, state, reported, expected) => {
    const result = merged(agent(state), { id: "d", ...reported });
    const compared = Object.fromEntries(
      Object.keys({ ...state, ...expected }).map((field) => [field, result[field as keyof DeploymentInputs]]),
    );
    expect(compared).toEqual(expected);
    // The result does not include unmanaged values.
    expect(result.displayName === undefined).toBe(state.displayName === undefined);
  });

  test("contains everything that the server reports if there is no state", () => {
    const record = {
      id: "d",
      name: "agent",
      source: "github",
      source_config: { repo_url: "https://git.example.com/a.git" },
      source_revision_config: { repo_ref: "v1" },
      display_name: "Support",
      ...secrets({ A: "1", B: "2", C: null }, listing("B")),
    };
    const { inputs, before, unknown } = merge(undefined, { record, ownerId: "owner" });
    expect(before).toEqual(inputs);
    expect(unknown).toEqual([]);
    expect(inputs).toMatchObject({
      name: "agent",
      source: "github",
      sourceConfig: { repoUrl: "https://git.example.com/a.git" },
      sourceRevisionConfig: { repoRef: "v1" },
      displayName: "Support",
      secrets: { A: "1", C: "" },
      environmentVariables: { B: "2" },
    });
    const ofAgent = { ...record, name: null, agent: { agent_id: "support", environment: "production" } };
    expect(merge(undefined, { record: ofAgent, ownerId: "owner" }).inputs.agent).toEqual({
      agentId: "support",
      environment: "production",
    });
    const foreign = merge(undefined, { record, ownerId: "another" }).inputs;
    expect([foreign.secrets, foreign.environmentVariables]).toEqual([{ A: "1", B: "2", C: "" }, undefined]);
  });

  test("returns the state if nothing was observed, and lists the values that it lacks", () => {
    const state = { ...agent(), omitted: { secrets: "digest" } } as unknown as DeploymentState;
    expect(merge(state)).toEqual({ before: agent(), inputs: agent(), unknown: ["secrets"] });
  });
});
