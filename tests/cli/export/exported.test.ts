import { exportedFrom, type Selection } from "../../../cli/export/exported";
import type { ReportedRecord } from "../../../cli/export/unmanaged";
import { interfaceDialect, langsmithDialect } from "../../../provider/control-plane/dialects";

const commit = "0123456789abcdef0123456789abcdef01234567";
const all: Selection = { names: [], includeOwned: false };

/** A deployment as the public service reports it. */
function reported(change: ReportedRecord = {}): ReportedRecord {
  const { source_config, source_revision_config, ...rest } = change;
  return {
    id: "id-1",
    name: "support",
    source: "github",
    status: "READY",
    latest_revision_id: "revision-1",
    source_config: {
      repo_url: "https://git.example.com/a.git",
      deployment_type: "prod",
      build_on_push: true,
      repo_branch: "main",
      custom_url: "https://support.example.app",
      resource_spec: null,
      ...(source_config as object),
    },
    source_revision_config: {
      repo_ref: commit,
      langgraph_config_path: "langgraph.json",
      image_uri: "registry.test/built",
      ...(source_revision_config as object),
    },
    secrets: [],
    ...rest,
  };
}

const only = (record: ReportedRecord, selection = all) =>
  exportedFrom([record], langsmithDialect, selection).deployments[0]!;

test("the branch stands in place of the commit that it was turned into; what the server filled in is left to it", () => {
  expect(only(reported()).inputs).toEqual({
    name: "support",
    source: "github",
    sourceConfig: { repoUrl: "https://git.example.com/a.git", deploymentType: "prod", buildOnPush: true },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
    secrets: {},
    adopt: "always",
  });
  expect(only(reported({ source_config: { repo_branch: null } })).inputs.sourceRevisionConfig.repoRef).toBe(
    commit,
  );
  const other = exportedFrom(
    [reported({ source_revision_config: { graph_config_path: "a.json" } })],
    interfaceDialect,
    all,
  );
  expect(other.deployments[0]!.inputs).toMatchObject({
    sourceConfig: { customUrl: "https://support.example.app" },
    sourceRevisionConfig: { imageUri: "registry.test/built" },
  });
});

test("the address that the deployment has anyway is left to the server, whatever the dialect", () => {
  const url = "https://support.example.app";
  const [exported] = exportedFrom([reported({ url })], interfaceDialect, all).deployments;
  expect(exported!.inputs.sourceConfig).not.toHaveProperty("customUrl");
});

test("settings are inputs where they are not what every deployment begins with", () => {
  const record = reported({
    source: "external_docker",
    display_name: "Support",
    deployment_tier: "DEDICATED_S",
    compute_tier: "DEDICATED_S",
    database_tier: "DEDICATED_S",
    shareable: true,
    route_through_gateway: true,
    secret_references: [{ name: "A", secret_name: "b", secret_key: "c" }],
    source_config: { repo_branch: null, resource_spec: {} },
  });
  expect(only(record).inputs).toMatchObject({
    displayName: "Support",
    deploymentTier: "DEDICATED_S",
    shareable: true,
    routeThroughGateway: true,
    secretReferences: { A: { secretName: "b", secretKey: "c" } },
  });
  expect(only(record).notices).toEqual([]);
  expect(only(reported({ display_name: "support", shareable: false })).inputs).not.toHaveProperty(
    "displayName",
  );
  const resized = reported({
    deployment_tier: "DEDICATED_M",
    compute_tier: "DEDICATED_M",
    database_tier: "DEDICATED_L",
  });
  expect(only(resized).inputs).toMatchObject({ computeTier: "DEDICATED_M", databaseTier: "DEDICATED_L" });
  expect(only(resized).inputs).not.toHaveProperty("deploymentTier");
  const tracking = reported({ source_revision_config: { repo_ref: "release" } });
  expect(only(tracking).inputs).toMatchObject({ trackedRepoRef: "main" });
});

test("an agent's deployment is exported by its agent, in place of the name that the server made up", () => {
  const record = reported({ agent: { agent_id: "support", environment: "staging" } });
  expect(only(record).inputs).toMatchObject({ agent: { agentId: "support", environment: "staging" } });
  expect(only(record).inputs).not.toHaveProperty("name");
  expect(only(record)).toMatchObject({ name: "support", notices: [] });
});

test("settings that no input can say are reported", () => {
  const record = reported({
    future: { token: "hidden" },
    source_config: { listener_config: { k8s_namespace: "n", zone: 1 } },
    source_revision_config: { source_tarball_path: "x" },
  });
  expect(only(record).notices).toEqual([
    "The control plane keeps these settings, which have no matching input: future, " +
      "source_revision_config.source_tarball_path, source_config.listener_config.zone.",
  ]);
});

test("what the provider would refuse is left to the control plane; secrets as a whole, so that none is deleted", () => {
  const secrets = [
    { name: "GOOD", value: "a" },
    { name: "not-a-name", value: "b" },
  ];
  const { inputs, notices } = only(reported({ secrets, source_config: { install_command: " " } }));
  expect(inputs).not.toHaveProperty("secrets");
  expect(inputs.sourceConfig).not.toHaveProperty("installCommand");
  expect(notices.join("\n")).toMatch(/Left out, .*: sourceConfig\.installCommand \(/);
  expect(notices.join("\n")).toMatch(/Left out, .*: secrets \(secrets\.not-a-name must be/);
});

test("an address with credentials in it is reported to be one, and not repeated", () => {
  const notices = (repo_url: string) => only(reported({ source_config: { repo_url } })).notices;
  expect(notices("https://git.example.com/agents.git")).toEqual([]);
  expect(notices("https://me:hush@git.example.com/agents.git")).toEqual([
    expect.stringMatching(/^Its sourceConfig\.repoUrl holds a user name(?!.*hush)/),
  ]);
});

test("secrets that the server does not report stay as they are", () => {
  const { inputs, notices } = only(reported({ secrets: null }));
  expect(inputs).not.toHaveProperty("secrets");
  expect(notices).toEqual([
    "The control plane does not report its secrets; it keeps those that it has. Whether another Pulumi resource owns it is not known: adopting it would take it away from that one.",
  ]);
});

test("each deployment has keys of its own for its secrets", () => {
  const secrets = [{ name: "KEY", value: "same" }];
  const records = ["support-agent", "supportAgent"].map((name) => reported({ id: name, name, secrets }));
  const keys = exportedFrom(records, langsmithDialect, all).deployments.map((one) => one.secrets[0]!.key);
  expect(keys).toEqual(["supportAgent_KEY", "supportAgent2_KEY"]);
});

test("what cannot be adopted is left out, with the reason", () => {
  const records = [
    reported({ id: "1", name: "twin" }),
    reported({ id: "2", name: "twin" }),
    reported({ id: "3", name: "bare", latest_revision_id: null }),
    reported({ id: "4", name: "going", status: "AWAITING_FINAL_DELETE" }),
    reported({ id: "5", name: "new", source: "something_new" }),
    reported({ id: "6", name: null }),
  ];
  const { deployments, leftOut } = exportedFrom(records, langsmithDialect, all);
  expect(deployments).toEqual([]);
  expect(leftOut.map(({ id, reason }) => `${id} ${reason.slice(0, 40)}`)).toEqual([
    "6 name must not be empty",
    "3 has no revision yet, and so nothing to a",
    "4 is being deleted",
    '5 source "something_new" is none of github',
    "1 shares its name with another one, and ad",
    "2 shares its name with another one, and ad",
  ]);
});

test("names do not depend on what is selected, nor the order on the server's", () => {
  const records = ["b", "B", "a"].map((name) => reported({ id: name, name }));
  const whole = exportedFrom(records, langsmithDialect, all).deployments;
  expect(exportedFrom([...records].reverse(), langsmithDialect, all).deployments).toEqual(whole);
  expect(whole.map(({ resource }) => resource)).toEqual(["B", "a", "b-2"]);
  const one = exportedFrom(records, langsmithDialect, { ...all, names: [/^b$/] }).deployments;
  expect(one).toEqual([whole[2]]);
});

test("one that another Pulumi resource owns is taken over only if that is wanted", () => {
  const secrets = [{ name: "AGENTSERVER_OWNER", value: "3b241101-e2bb-4255-8caf-4136c566a962" }];
  expect(only(reported({ secrets }))).toMatchObject({ asComment: true, inputs: { secrets: {} } });
  const taken = only(reported({ secrets }), { ...all, includeOwned: true });
  expect(taken.asComment).toBe(false);
  expect(taken.notices.join(" ")).toContain("Replacing the tag makes one revision.");
});

test.each([[{}], [{ value: null }], [{ value: "********" }], [{ value: "" }]])(
  "a tag that is listed with %j for its value is somebody's, and its secrets are not reported",
  (shown) => {
    const secrets = [
      { name: "MODEL_KEY", ...shown },
      { name: "AGENTSERVER_OWNER", ...shown },
    ];
    const owned = only(reported({ secrets }));
    expect(owned.asComment).toBe(true);
    expect(owned.inputs.secrets).toBeUndefined();
    expect(owned.notices).toContain(
      "The control plane does not report its secrets; it keeps those that it has.",
    );
    expect(only(reported({ secrets }), { ...all, includeOwned: true }).asComment).toBe(false);
  },
);

test("names of secrets without values and without a tag are nobody's, with a notice", () => {
  const free = only(reported({ secrets: [{ name: "MODEL_KEY" }] }));
  expect(free.asComment).toBe(false);
  expect(free.notices).toEqual([
    "The control plane does not report its secrets; it keeps those that it has.",
  ]);
});
