import {
  environmentFor,
  hasDesiredRevision,
  hasForeignSource,
  isInEffect,
  merge,
} from "../../../provider/deployment/current";
import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import { environmentToWire } from "../../../provider/deployment/environment";
import { triggersHash } from "../../../provider/deployment/ownership/tag";
import type { DeploymentState } from "../../../provider/deployment/state";
import { interfaceDialect, langsmithDialect } from "../../../provider/control-plane/dialects";
import { formatTag } from "../../../wire";
import { agent } from "../world";

const holder = { organization: "acme", project: "shop", stack: "prod", resource: "agent" };
const whole = { ownerId: "owner", revisions: 1, since: "2026-01-01T00:00:00.000Z", holder };
const commit = "0123456789abcdef0123456789abcdef01234567";

describe("effective settings", () => {
  const observe = (
    state: DeploymentInputs | undefined,
    record: object,
    { isOwn, latestRevisionId = "r-1" }: { isOwn?: boolean; latestRevisionId?: string } = {},
  ) =>
    merge(state && ({ ...state, latestRevisionId } as DeploymentState), {
      record: { id: "d", ...record },
      ownerId: "owner",
      isOwn,
    });
  const built = (repo_ref: string, more: object = {}) => ({
    latest_revision_id: "r-2",
    source_revision_config: { repo_ref, graph_config_path: "langgraph.json" },
    ...more,
  });
  const ref = "sourceRevisionConfig.repoRef";
  const wanted = agent({ sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" } });
  const force = (
    path: string,
    desired: DeploymentInputs,
    current: ReturnType<typeof observe>,
    dialect = interfaceDialect,
  ) => isInEffect(path, desired, current, dialect);

  test("treats a source as in effect only if a revision that is not in state has it", () => {
    expect(force(ref, wanted, observe(agent(), built("v2")))).toBe(true);
    expect(force(ref, wanted, observe(agent(), built("v2"), { latestRevisionId: "r-2" }))).toBe(false);
    expect(force(ref, wanted, observe(agent(), built("v3")))).toBe(false);
    expect(
      force(ref, wanted, observe(agent(), { source_revision_config: {}, latest_revision_id: "r-2" })),
    ).toBe(false);
    expect(force(ref, wanted, merge(agent() as DeploymentState))).toBe(false);
  });

  test("treats a source whose image is cleared as in effect if the revision was built", () => {
    const image = (imageUri: string | null) =>
      agent({ sourceRevisionConfig: { ...wanted.sourceRevisionConfig, imageUri } });
    expect(force(ref, image(null), observe(agent(), built("v2")))).toBe(true);
    expect(force(ref, image("registry.test/a:1"), observe(agent(), built("v2")))).toBe(false);
  });

  test("returns the environment before the first revision only if no other client could set one", () => {
    const inputs = agent({ source: "internal_source", secrets: undefined, environmentVariables: { A: "1" } });
    const bare = { id: "d" };
    const environment = (current: ReturnType<typeof observe>) =>
      environmentFor(inputs, current, bare, langsmithDialect);
    expect(environment(observe(inputs, bare))).toEqual({ A: "1" });
    expect(environment(observe(undefined, bare, { isOwn: true }))).toEqual({ A: "1" });
    expect(environment(observe(undefined, bare))).toBeUndefined();
    expect(
      environmentFor({ ...inputs, source: "github" }, observe(inputs, bare), bare, langsmithDialect),
    ).toBe(undefined);
  });

  test("treats a branch as in effect if the server reports it together with the commit", () => {
    const other = built(commit, { source_config: { repo_branch: "v3" } });
    const same = built(commit, { source_config: { repo_branch: "v2" } });
    expect(force(ref, wanted, observe(agent(), same))).toBe(true);
    expect(force(ref, wanted, observe(agent(), other))).toBe(false);
    expect(force(ref, wanted, observe(agent(), built(commit)))).toBe(false);
    expect(force(ref, { ...wanted, trackedRepoRef: "v2" }, observe(agent(), same))).toBe(false);
  });

  test.each([
    [undefined, interfaceDialect, true],
    [undefined, langsmithDialect, true],
    [true, interfaceDialect, false],
    [true, langsmithDialect, true],
  ] as const)(
    "determines whether a commit of an unknown branch is in effect without a state (own: %s)",
    (isOwn, dialect, expected) => {
      expect(force(ref, wanted, observe(undefined, built(commit), { isOwn }), dialect)).toBe(expected);
      expect(force(ref, wanted, observe(undefined, built("v1"), { isOwn }), dialect)).toBe(false);
    },
  );

  test("treats triggers as in effect in an adoption, or if an interrupted update sent them", () => {
    const change = { ...wanted, rollout: { triggers: ["b"] } };
    const tagged = (triggers: string | undefined, ref = "v2") =>
      built(ref, { secrets: environmentToWire({}, formatTag({ ...whole, ...(triggers && { triggers }) })) });
    const sent = triggersHash(["b"], "r-1");
    expect(force("rollout.triggers", change, observe(undefined, built("v1")))).toBe(true);
    expect(force("rollout.triggers", change, observe(agent(), built("v2")))).toBe(false);
    expect(force("rollout.triggers", change, observe(agent(), tagged(sent)))).toBe(true);
    expect(force("rollout.triggers", change, observe(agent(), tagged(sent, "v1")))).toBe(false);
    for (const other of [undefined, triggersHash(["a"], "r-1"), triggersHash(["b"], "r-0")])
      expect(force("rollout.triggers", change, observe(agent(), tagged(other)))).toBe(false);
    expect(force("rollout.triggers", wanted, observe(undefined, built("v1")))).toBe(true);
    expect(force("rollout.triggers", wanted, observe(agent(), built("v1")))).toBe(false);
    expect(force("rollout.triggers", wanted, observe(agent(), built("v2")))).toBe(true);
  });

  test("treats triggers of an unmanaged source as in effect only with a new revision", () => {
    const change = agent({ sourceRevisionConfig: {}, rollout: { triggers: ["b"] } });
    const tagged = (triggers: string | undefined) =>
      built("v9", { secrets: environmentToWire({}, formatTag({ ...whole, ...(triggers && { triggers }) })) });
    const sent = triggersHash(["b"], "r-1");
    expect(force("rollout.triggers", change, observe(agent(), tagged(sent)))).toBe(true);
    expect(force("rollout.triggers", change, observe(agent(), tagged(undefined)))).toBe(false);
    expect(hasDesiredRevision(change, observe(agent(), built("v9")))).toBe(true);
    expect(hasDesiredRevision(change, observe(agent(), { latest_revision_id: "r-1" }))).toBe(false);
  });

  const spec = (resourceSpec: object | null) =>
    agent({ sourceConfig: { resourceSpec: resourceSpec as Record<string, unknown> } });
  const specAt = (resource_spec: object) => ({ source_config: { resource_spec } });
  const path = "sourceConfig.resourceSpec";

  test.each([
    ["with the same keys", { cpu: 1, maxScale: 3 }, { cpu: 1 }, { cpu: 1 }, true],
    ["with defaults", { cpu: 1, maxScale: 3 }, { cpu: 1 }, { cpu: 1, max_scale: 1, memory_mb: 2048 }, true],
    ["with keys that others set", { cpu: 1 }, { cpu: 1 }, { cpu: 1, max_scale: 5 }, true],
    ["without a desired key", { cpu: 1 }, { cpu: 1, minScale: 2 }, { cpu: 1 }, false],
    ["with a removed key", { cpu: 1, maxScale: 3 }, { cpu: 1 }, { cpu: 1, max_scale: 3 }, false],
    [
      "with a removed key that others changed",
      { cpu: 1, maxScale: 3 },
      { cpu: 1 },
      { cpu: 1, max_scale: 2 },
      false,
    ],
    [
      "with a removed key that is null",
      { cpu: 1, maxScale: 3 },
      { cpu: 1 },
      { cpu: 1, max_scale: null },
      true,
    ],
    [
      "with a removed inner key",
      { labels: { a: "1", b: "2" } },
      { labels: { a: "1" } },
      { labels: { a: "1", b: "2" } },
      false,
    ],
    [
      "with an inner key that others set",
      { labels: { a: "1" } },
      { labels: { a: "1" } },
      { labels: { a: "1", b: "2" } },
      true,
    ],
    [
      "with a removed inner key that is null",
      { labels: { a: "1", b: "2" } },
      { labels: { a: "1" } },
      { labels: { a: "1", b: null } },
      true,
    ],
  ])(
    "determines whether a reported specification %s is in effect",
    (_, before, desired, reported, expected) => {
      expect(force(path, spec(desired), observe(spec(before), specAt(reported)), langsmithDialect)).toBe(
        expected,
      );
    },
  );

  test("treats a specification with extra keys as in effect only if others set those keys", () => {
    const reported = specAt({ cpu: 1, max_scale: 3 });
    const state = { ...agent({ sourceConfig: {} }), omitted: { [path]: "digest" } } as DeploymentInputs;
    expect(force(path, spec({ cpu: 1 }), observe(state, reported))).toBe(false);
    const group = { ...agent({ sourceConfig: {} }), omitted: { sourceConfig: "digest" } } as DeploymentInputs;
    expect(force(path, spec({ cpu: 1 }), observe(group, reported))).toBe(false);
    expect(force(path, spec({ cpu: 1 }), observe(undefined, reported))).toBe(true);
    expect(force(path, spec({ cpu: 1 }), observe(undefined, reported, { isOwn: true }))).toBe(false);
  });

  test("treats a cleared field as in effect if the server reports that it is cleared", () => {
    const cleared = agent({ sourceConfig: { customUrl: null, resourceSpec: null } });
    const observed = (source_config: object, url?: string) => observe(agent(), { source_config, url });
    expect(force("sourceConfig.customUrl", cleared, observed({ custom_url: null }))).toBe(true);
    expect(force("sourceConfig.customUrl", cleared, observed({}))).toBe(false);
    expect(force("sourceConfig.customUrl", cleared, observed({ custom_url: "https://x" }))).toBe(false);
    expect(force("sourceConfig.customUrl", cleared, observed({ custom_url: "https://x" }, "https://x"))).toBe(
      true,
    );
    expect(force("sourceConfig.customUrl", cleared, observed({}, undefined))).toBe(false);
    expect(force(path, cleared, observed({ resource_spec: null }))).toBe(true);
    expect(force("displayName", { ...cleared, displayName: null }, observed({}))).toBe(false);
  });

  test("treats unreported fields as in effect only on request, or if immutable and not in state", () => {
    const named = agent({ displayName: "Support" });
    expect(force("displayName", named, observe(agent(), {}))).toBe(false);
    expect(isInEffect("displayName", named, observe(agent(), {}), interfaceDialect, true)).toBe(true);
    for (const field of ["name", "source"]) {
      expect(force(field, named, observe(undefined, {}))).toBe(true);
      expect(force(field, named, observe(agent(), {}))).toBe(false);
      expect(force(field, named, observe(undefined, { [field]: "other" }))).toBe(false);
    }
  });

  const urlPath = "sourceConfig.customUrl";
  const withUrl = (customUrl: string | null) => agent({ sourceConfig: { customUrl } });
  const named = agent({ displayName: "Support" });
  const omitting = (inputs: DeploymentInputs, path: string) =>
    ({ ...inputs, omitted: { [path]: "digest" } }) as DeploymentInputs;

  test.each<[string, string, DeploymentInputs, ReturnType<typeof observe>, boolean]>([
    [
      "a value that the server has cleared",
      urlPath,
      withUrl("https://x"),
      observe(agent(), { source_config: { custom_url: null } }),
      false,
    ],
    ["a cleared field of a group that is not reported", urlPath, withUrl(null), observe(agent(), {}), false],
    ["an unreported setting without a state", "displayName", named, observe(undefined, {}), false],
    [
      "a reported setting whose value the state omits",
      "displayName",
      named,
      observe(omitting(agent(), "displayName"), { display_name: "Support" }),
      true,
    ],
    [
      "a source of another configuration",
      ref,
      wanted,
      observe(agent(), {
        ...built("v2"),
        source_revision_config: { repo_ref: "v2", graph_config_path: "other.json" },
      }),
      false,
    ],
    [
      "an omitted field of the source",
      ref,
      agent({ sourceRevisionConfig: { repoRef: "v2", imageUri: undefined } }),
      observe(agent(), { ...built("v2"), source_revision_config: { repo_ref: "v2", image_uri: "built:1" } }),
      true,
    ],
    [
      "a source that the program does not manage",
      ref,
      agent({ sourceRevisionConfig: {} }),
      observe(agent(), built("v2")),
      true,
    ],
    [
      "a source without a reported revision",
      ref,
      wanted,
      merge(agent() as DeploymentState, {
        record: { id: "d", ...built("v2"), latest_revision_id: null },
        ownerId: "owner",
      }),
      false,
    ],
  ])("determines whether the server already has %s", (_, path, desired, current, expected) => {
    expect(force(path, desired, current)).toBe(expected);
  });

  test.each<[string, Record<string, string>, string[] | undefined, boolean]>([
    ["exactly these variables", { A: "1" }, ["A"], true],
    ["another value", { A: "2" }, ["A"], false],
    ["a removed variable", { A: "1", B: "1" }, ["A", "B"], false],
    ["variables that others set", { A: "1", B: "1" }, ["A"], true],
  ])("determines whether the server already has an environment with %s", (_, values, variables, expected) => {
    const inputs = agent({ secrets: undefined, environmentVariables: { A: "1" } });
    const secrets = environmentToWire(values, formatTag({ ...whole, ...(variables && { variables }) }));
    const current = observe(inputs, { latest_revision_id: "r-1", secrets });
    expect(force("environmentVariables.A", inputs, current)).toBe(expected);
    expect(force("secrets", inputs, current)).toBe(expected);
    const partly = [...secrets, { name: "THEIRS", value: null }];
    expect(force("secrets", inputs, observe(inputs, { latest_revision_id: "r-1", secrets: partly }))).toBe(
      false,
    );
    // A masked value may differ from the desired value.
    const masked = secrets.map(({ name }) => ({ name, value: "***" }));
    expect(force("secrets", inputs, observe(inputs, { latest_revision_id: "r-1", secrets: masked }))).toBe(
      false,
    );
  });

  test.each<[string, DeploymentInputs, Record<string, string>]>([
    ["unless the resource released them", agent({ secrets: undefined }), { A: "1", B: "1" }],
    ["if the state omits them", omitting(agent({ secrets: undefined }), "environmentVariables"), { A: "1" }],
  ])("removes variables that the tag lists %s", (_, state, expected) => {
    const desired = agent({ secrets: undefined, environmentVariables: { A: "1" } });
    const secrets = environmentToWire({ A: "1", B: "1" }, formatTag({ ...whole, variables: ["A", "B"] }));
    const record = { id: "d", latest_revision_id: "r-1", secrets };
    expect(environmentFor(desired, observe(state, record), record, interfaceDialect)).toEqual(expected);
  });

  const hash = "a".repeat(64);
  const ofFolder = agent({ sourceRevisionConfig: { folder: ".", contentHash: hash } });
  const tagWith = (contentHash: string) => ({
    latest_revision_id: "r-2",
    secrets: environmentToWire(
      {},
      formatTag({ ...whole, content: { contentHash, objectPathHash: "0".repeat(16) } }),
    ),
  });

  test("treats a folder as in effect only if the newest upload has the same contents", () => {
    const folderPath = "sourceRevisionConfig.contentHash";
    expect(force(folderPath, ofFolder, observe(agent(), tagWith(hash)))).toBe(true);
    expect(force(folderPath, ofFolder, observe(agent(), tagWith("b".repeat(64))))).toBe(false);
    expect(force(folderPath, ofFolder, observe(agent(), { latest_revision_id: "r-2" }))).toBe(false);
  });

  test.each<[string, DeploymentInputs, object, boolean]>([
    ["another branch", wanted, built("theirs"), true],
    ["the desired branch", wanted, built("v2"), false],
    ["a commit of any branch", wanted, built(commit), false],
    ["a source that is not reported", wanted, { latest_revision_id: "r-2" }, false],
    ["another source in the known revision", wanted, built("theirs", { latest_revision_id: "r-1" }), false],
    ["another upload of a folder", ofFolder, tagWith("b".repeat(64)), true],
    ["an upload that is not reported", ofFolder, { latest_revision_id: "r-2" }, false],
  ])("determines whether the newest source is foreign: %s", (_, desired, reported, expected) => {
    expect(hasForeignSource(desired, observe(agent(), reported))).toBe(expected);
    expect(hasForeignSource(desired, observe(undefined, reported))).toBe(false);
    expect(hasForeignSource(desired, merge(agent() as DeploymentState))).toBe(false);
    expect(hasDesiredRevision(desired, merge(agent() as DeploymentState))).toBe(false);
  });
});
