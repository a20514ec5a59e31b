import { fc } from "../../properties";
import { merge } from "../../../provider/deployment/current";
import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import { toCreateBody } from "../../../provider/deployment/mapping";
import { writtenTag } from "../../../provider/deployment/ownership/tag";
import type { DeploymentState } from "../../../provider/deployment/state";
import { interfaceDialect } from "../../../provider/control-plane/dialects";
import type { DeploymentRecord } from "../../../wire";
import { dialects, inputs } from "./arbitraries";
import { agent } from "../world";

const holder = { organization: "acme", project: "shop", stack: "prod", resource: "agent" };
const tag = writtenTag({ ownerId: "owner", revisions: 1, since: "2026-01-01T00:00:00.000Z", holder });

/** The managed inputs as a deployment has them now. */
const merged = (state: DeploymentInputs, record: DeploymentRecord) =>
  merge(state as DeploymentState, { record, ownerId: "owner" }).inputs;

const record = (change: object = {}) => ({
  id: "d",
  ...toCreateBody(agent(), tag, interfaceDialect),
  ...change,
});
const commit = "0123456789abcdef0123456789abcdef01234567";

test("shows no difference right after a create", () => {
  fc.assert(
    fc.property(inputs, dialects, (one, dialect) => {
      const made = merged(one, { id: "d", ...toCreateBody(one, tag, dialect) });
      expect(JSON.parse(JSON.stringify(made))).toEqual(JSON.parse(JSON.stringify(one)));
    }),
  );
});

test("shows no difference if the server reports nothing", () => {
  fc.assert(
    fc.property(inputs, (one) => {
      expect(JSON.parse(JSON.stringify(merged(one, { id: "d" })))).toEqual(
        JSON.parse(JSON.stringify(one)),
      );
    }),
  );
});

test("keeps a branch that the server resolved to a commit", () => {
  const built = record({ source_revision_config: { repo_ref: commit, graph_config_path: "langgraph.json" } });
  expect(merged(agent(), built)).toEqual(agent());
});

test("shows another commit than the pinned one", () => {
  const pinned = agent({ sourceRevisionConfig: { repoRef: commit.replace("0", "f") } });
  const built = record({ source_revision_config: { repo_ref: commit } });
  expect(merged(pinned, built).sourceRevisionConfig).toEqual({ repoRef: commit });
});

test("shows another branch", () => {
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

test("ignores the deployment's own address if the program cleared customUrl", () => {
  const cleared = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: null } });
  const reporting = (custom_url: string) =>
    record({ url: "https://own", source_config: { ...record().source_config, custom_url } });
  expect(merged(cleared, reporting("https://own"))).toEqual(cleared);
  expect(merged(cleared, reporting("https://x")).sourceConfig.customUrl).toBe("https://x");
  const given = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: "https://own" } });
  expect(merged(given, reporting("https://own"))).toEqual(given);
});

test("shows the branch that is reported next to the commit", () => {
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
  const drift = (wanted: Record<string, unknown>) =>
    merged(spec(wanted), theirs).sourceConfig.resourceSpec;
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
