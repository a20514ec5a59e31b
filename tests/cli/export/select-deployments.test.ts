import { selectDeployments, type Selection } from "../../../cli/export/select-deployments";
import type { ReportedRecord } from "../../../cli/export/unmanaged-fields";
import { interfaceDialect, langsmithDialect } from "../../../provider/control-plane/dialects";

const commit = "0123456789abcdef0123456789abcdef01234567";
const all: Selection = { names: [], includeOwned: false };

/** Returns a deployment as the public service reports it. */
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
  selectDeployments([record], langsmithDialect, selection).deployments[0]!;

test("exports the branch instead of its commit, and omits values that the server has set", () => {
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
  const other = selectDeployments(
    [reported({ source_revision_config: { graph_config_path: "a.json" } })],
    interfaceDialect,
    all,
  );
  expect(other.deployments[0]!.inputs).toMatchObject({
    sourceConfig: { customUrl: "https://support.example.app" },
    sourceRevisionConfig: { imageUri: "registry.test/built" },
  });
});

test("omits a custom URL that the server would assign anyway, in every dialect", () => {
  const url = "https://support.example.app";
  const [exported] = selectDeployments([reported({ url })], interfaceDialect, all).deployments;
  expect(exported!.inputs.sourceConfig).not.toHaveProperty("customUrl");
});

test("exports settings that differ from the defaults", () => {
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

test("exports the agent instead of a name that the server has generated", () => {
  const record = reported({ agent: { agent_id: "support", environment: "staging" } });
  expect(only(record).inputs).toMatchObject({ agent: { agentId: "support", environment: "staging" } });
  expect(only(record).inputs).not.toHaveProperty("name");
  expect(only(record)).toMatchObject({ name: "support", notices: [] });
});

test("reports settings without a matching input", () => {
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

test("omits inputs that the provider would reject, and omits either all secrets or none", () => {
  const secrets = [
    { name: "GOOD", value: "a" },
    { name: "not-a-name", value: "b" },
  ];
  const { inputs, notices } = only(reported({ secrets, source_config: { install_command: " " } }));
  expect(inputs).not.toHaveProperty("secrets");
  expect(inputs.sourceConfig).not.toHaveProperty("installCommand");
  expect(notices.join("\n")).toMatch(/Omitted, .*: sourceConfig\.installCommand \(/);
  expect(notices.join("\n")).toMatch(/Omitted, .*: secrets \(secrets\.not-a-name must be/);
});

test("warns about credentials in a URL without repeating them", () => {
  const notices = (repo_url: string) => only(reported({ source_config: { repo_url } })).notices;
  expect(notices("https://git.example.com/agents.git")).toEqual([]);
  expect(notices("https://me:hush@git.example.com/agents.git")).toEqual([
    expect.stringMatching(/^Its sourceConfig\.repoUrl contains a user name(?!.*hush)/),
  ]);
});

test("exports no secrets input if the server does not report secrets, so they are kept", () => {
  const { inputs, notices } = only(reported({ secrets: null }));
  expect(inputs).not.toHaveProperty("secrets");
  expect(notices).toEqual([
    "The control plane does not report its secrets. They are not changed. It may be owned by another Pulumi resource; adopting it would then transfer ownership from that resource.",
  ]);
});

test("uses different configuration keys for the secrets of each deployment", () => {
  const secrets = [{ name: "KEY", value: "same" }];
  const records = ["support-agent", "supportAgent"].map((name) => reported({ id: name, name, secrets }));
  const keys = selectDeployments(records, langsmithDialect, all).deployments.map(
    (one) => one.secrets[0]!.key,
  );
  expect(keys).toEqual(["supportAgent_KEY", "supportAgent2_KEY"]);
});

test("omits deployments that cannot be adopted, with the reason", () => {
  const records = [
    reported({ id: "1", name: "twin" }),
    reported({ id: "2", name: "twin" }),
    reported({ id: "3", name: "bare", latest_revision_id: null }),
    reported({ id: "4", name: "going", status: "AWAITING_FINAL_DELETE" }),
    reported({ id: "5", name: "new", source: "something_new" }),
    reported({ id: "6", name: null }),
  ];
  const { deployments, omitted } = selectDeployments(records, langsmithDialect, all);
  expect(deployments).toEqual([]);
  expect(omitted.map(({ id, reason }) => `${id} ${reason.slice(0, 40)}`)).toEqual([
    "6 name must not be empty",
    "3 has no revision yet",
    "4 is being deleted",
    '5 source "something_new" is not one of the',
    "1 shares its name with another deployment,",
    "2 shares its name with another deployment,",
  ]);
});

test("assigns the same resource names regardless of the selection and order, and sorts them", () => {
  const records = ["b", "B", "a"].map((name) => reported({ id: name, name }));
  const whole = selectDeployments(records, langsmithDialect, all).deployments;
  expect(selectDeployments([...records].reverse(), langsmithDialect, all).deployments).toEqual(whole);
  expect(whole.map(({ resource }) => resource)).toEqual(["B", "a", "b-2"]);
  const one = selectDeployments(records, langsmithDialect, { ...all, names: [/^b$/] }).deployments;
  expect(one).toEqual([whole[2]]);
});

test("adopts a deployment of another Pulumi resource only if requested", () => {
  const value = "3b241101-e2bb-4255-8caf-4136c566a962/1/2026-01-02T03:04:05.000Z/acme/shop/prod/agent/.";
  const secrets = [{ name: "AGENTSERVER_OWNER", value }];
  expect(only(reported({ secrets }))).toMatchObject({ asComment: true, inputs: { secrets: {} } });
  const taken = only(reported({ secrets }), { ...all, includeOwned: true });
  expect(taken.asComment).toBe(false);
  expect(taken.notices.join(" ")).toContain("Replacing the ownership tag creates one revision.");
});

test.each([[{}], [{ value: null }], [{ value: "********" }], [{ value: "" }]])(
  "treats a deployment as owned if it has an ownership tag, even one reported as %j",
  (shown) => {
    const secrets = [
      { name: "MODEL_KEY", ...shown },
      { name: "AGENTSERVER_OWNER", ...shown },
    ];
    const owned = only(reported({ secrets }));
    expect(owned.asComment).toBe(true);
    expect(owned.inputs.secrets).toBeUndefined();
    expect(owned.notices).toContain("The control plane does not report its secrets. They are not changed.");
    expect(only(reported({ secrets }), { ...all, includeOwned: true }).asComment).toBe(false);
  },
);

test("treats a deployment without an ownership tag as not owned, and notes hidden secrets", () => {
  const free = only(reported({ secrets: [{ name: "MODEL_KEY" }] }));
  expect(free.asComment).toBe(false);
  expect(free.notices).toEqual(["The control plane does not report its secrets. They are not changed."]);
});
