import { fc } from "../../../properties";
import { asRecorded } from "../../../../provider/deployment/drift";
import { toCreateBody } from "../../../../provider/deployment/mapping";
import { interfaceDialect } from "../../../../provider/control-plane/dialects";
import { dialects, inputs } from "../arbitraries";
import { agent } from "../../world";

const record = (change: object = {}) => ({
  id: "d",
  ...toCreateBody(agent(), "owner", interfaceDialect),
  ...change,
});
const commit = "0123456789abcdef0123456789abcdef01234567";

test("what was just created has not drifted", () => {
  fc.assert(
    fc.property(inputs, dialects, (one, dialect) => {
      const made = asRecorded(one, { id: "d", ...toCreateBody(one, "owner", dialect) });
      expect(JSON.parse(JSON.stringify(made))).toEqual(JSON.parse(JSON.stringify(one)));
    }),
  );
});

test("a server that reports nothing shows no drift", () => {
  fc.assert(
    fc.property(inputs, (one) => {
      expect(JSON.parse(JSON.stringify(asRecorded(one, { id: "d" })))).toEqual(
        JSON.parse(JSON.stringify(one)),
      );
    }),
  );
});

test("a branch that the server resolved to the commit it built is no drift", () => {
  const built = record({ source_revision_config: { repo_ref: commit, graph_config_path: "langgraph.json" } });
  expect(asRecorded(agent(), built)).toEqual(agent());
});

test("another commit than the pinned one is drift", () => {
  const pinned = agent({ sourceRevisionConfig: { repoRef: commit.replace("0", "f") } });
  const built = record({ source_revision_config: { repo_ref: commit } });
  expect(asRecorded(pinned, built).sourceRevisionConfig).toEqual({ repoRef: commit });
});

test("another branch is drift", () => {
  const theirs = record({
    source_revision_config: { repo_ref: "theirs", graph_config_path: "langgraph.json" },
  });
  expect(asRecorded(agent(), theirs).sourceRevisionConfig.repoRef).toBe("theirs");
});

test("fields that the user leaves to the server are not drift, whatever they are", () => {
  const filled = record({
    source_config: {
      ...record().source_config,
      custom_url: "https://x",
      resource_spec: { cpu: 1 },
      integration_id: "i",
    },
    source_revision_config: { ...record().source_revision_config, image_uri: "built:1" },
  });
  expect(asRecorded(agent(), filled)).toEqual(agent());
});

test("a value where the user wants none is drift", () => {
  const cleared = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: null } });
  const theirs = record({ source_config: { ...record().source_config, custom_url: "https://x" } });
  expect(asRecorded(cleared, theirs).sourceConfig.customUrl).toBe("https://x");
});

test("the address that the deployment has anyway is not drift where the user wants none of their own", () => {
  const cleared = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: null } });
  const reporting = (custom_url: string) =>
    record({ url: "https://own", source_config: { ...record().source_config, custom_url } });
  expect(asRecorded(cleared, reporting("https://own"))).toEqual(cleared);
  expect(asRecorded(cleared, reporting("https://x")).sourceConfig.customUrl).toBe("https://x");
  const given = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: "https://own" } });
  expect(asRecorded(given, reporting("https://own"))).toEqual(given);
});

test("a server that reports the branch beside the commit shows a branch that somebody moved to", () => {
  const built = (repo_branch: string) =>
    record({ source_config: { repo_branch }, source_revision_config: { repo_ref: commit } });
  const repoRef = (branch: string) => asRecorded(agent(), built(branch)).sourceRevisionConfig.repoRef;
  expect(repoRef("v1")).toBe("v1");
  expect(repoRef("hotfix")).toBe("hotfix");
});

test("a null inside resourceSpec leaves that key to the server", () => {
  const spec = (resourceSpec: Record<string, unknown>) =>
    agent({ sourceConfig: { ...agent().sourceConfig, resourceSpec } });
  const theirs = record({
    source_config: {
      ...record().source_config,
      resource_spec: { cpu: 2, memory_mb: 512, labels: { a: "b" } },
    },
  });
  const drift = (wanted: Record<string, unknown>) =>
    asRecorded(spec(wanted), theirs).sourceConfig.resourceSpec;
  expect(drift({ cpu: 2, memoryMb: null })).toEqual({ cpu: 2, memoryMb: null });
  expect(drift({ cpu: 2, labels: { a: "b", c: null } })).toEqual({ cpu: 2, labels: { a: "b", c: null } });
  expect(drift({ cpu: 1, memoryMb: null })).toEqual({ cpu: 2, memoryMb: 512, labels: { a: "b" } });
});

test("a zero is a zero, whatever its sign", () => {
  const spec = (cpu: unknown) =>
    agent({ sourceConfig: { ...agent().sourceConfig, resourceSpec: { cpu, list: [cpu] } } });
  const theirs = record({
    source_config: { ...record().source_config, resource_spec: { cpu: -0, list: [-0] } },
  });
  expect(asRecorded(spec(0), theirs)).toEqual(spec(0));
});
