import * as pulumi from "@pulumi/pulumi";
import { Deployment, Environments, type EnvironmentsArgs, type VerifiedArtifacts } from "../../../sdk";
import { asSecret } from "../../../provider/engine/sentinels";
import { agentAt, World } from "../../provider/world";
import { registeredAs as registeredAnywhere, registration, valueOf, withoutEngine } from "../program";

const registeredAs = (name: string) => registeredAnywhere(name, ":Deployment");

const commit = "1".repeat(40);

const args: EnvironmentsArgs = {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git", deploymentType: "dev" },
  sourceRevisionConfig: { repoRef: commit, graphConfigPath: "langgraph.json" },
  environments: [{ environment: "development" }, { environment: "staging" }],
};

const later = "2".repeat(40);
const gate = { approved: null };

/** Returns the artifacts that a deployment of the source has verified, newest first. */
function verified(source: string, ...artifacts: (string | undefined)[]): VerifiedArtifacts {
  const verification = { ok: true, run: false };
  const history = artifacts.map((artifact) => ({
    source,
    artifact,
    ...(source === "github" && { graphConfigPath: "langgraph.json" }),
    revisionId: "r1",
    verifiedAt: "2026-01-05T10:00:00.000Z",
    verification,
  }));
  return { current: history[0], history };
}

beforeEach(() =>
  withoutEngine(({ source, sourceRevisionConfig = {} }) => {
    const { repoRef, imageUri } = sourceRevisionConfig as Record<string, string>;
    return { verified: verified(source as string, repoRef ?? imageUri) };
  }),
);
afterEach(() => pulumi.runtime.setAllConfig({}));

/** Starts a control plane, with the deployment of an environment if specified, and configures the connection to it. */
async function connected(
  more: Record<string, string> = {},
  existing?: { environment: string; commit: string },
) {
  const world = await World.start();
  const { plane } = world;
  if (existing)
    await world.deployed({ ...agentAt(existing.commit), name: `support-agent-${existing.environment}` });
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": plane.baseUrl,
    "agentserver:apiKey": plane.apiKey,
    "agentserver:tenantId": plane.tenantId,
    ...more,
  });
}

async function registered(created: Environments, environment: string) {
  const deployment = await valueOf(created.deployments[environment]!);
  await valueOf(deployment!.id);
  return registeredAs(`support-${environment}`)!;
}

test("registers one deployment per environment, each with its own settings", async () => {
  await connected();
  const created = new Environments("support", {
    ...args,
    secrets: { KEY: "common" },
    environments: [
      { environment: "development" },
      { environment: "staging", name: "the-stage", sourceConfig: { resourceSpec: { cpu: 2 } }, secrets: {} },
    ],
  });
  const staging = await registered(created, "staging");
  const development = await registered(created, "development");
  expect(development.inputs).toMatchObject({
    name: "support-agent-development",
    sourceRevisionConfig: { repoRef: commit, graphConfigPath: "langgraph.json" },
    rollout: { verify: {} },
  });
  expect(Object.keys(development.inputs.secrets)).toEqual(["KEY"]);
  expect(staging.inputs).toMatchObject({
    name: "the-stage",
    source: "github",
    sourceConfig: { ...(args.sourceConfig as object), resourceSpec: { cpu: 2 } },
    sourceRevisionConfig: { repoRef: commit, graphConfigPath: "langgraph.json" },
    secrets: {},
  });
  const type = "agentserver:index:AgentService$pulumi-nodejs:dynamic/agentserver:Deployment";
  expect(await valueOf(created.deployments["staging"]!.apply((deployment) => deployment!.urn))).toBe(
    `urn:pulumi:dev::shop::${type}::support-staging`,
  );
  expect(await valueOf(created.serves["staging"]!)).toBe(commit);
  expect(await valueOf(created.urls["staging"]!)).toBe("https://agent.example.com");
});

test.each([undefined, null, pulumi.output(undefined), pulumi.output(false)])(
  "turns off buildOnPush in a promoted environment if the program passes %p",
  async (given) => {
    await connected();
    const sourceConfig = { ...(args.sourceConfig as object), buildOnPush: given as boolean | undefined };
    const created = new Environments("support", { ...args, sourceConfig });
    const { inputs } = await registered(created, "staging");
    expect(inputs["sourceConfig"]).toMatchObject({ buildOnPush: false });
  },
);

test("promotes an image to the next environment", async () => {
  await connected();
  const imageUri = `registry.example.com/support@sha256:${"a".repeat(64)}`;
  const images = new Environments("support", {
    ...args,
    source: "external_docker",
    sourceConfig: {},
    sourceRevisionConfig: { imageUri },
  });
  expect((await registered(images, "staging")).inputs["sourceRevisionConfig"]).toEqual({ imageUri });
});

test("promotes a folder to the next environment", async () => {
  await withoutEngine(() => ({ verified: verified("internal_source", "0a".repeat(32)) }));
  const folders = new Environments("support", {
    ...args,
    source: "internal_source",
    sourceConfig: {},
    sourceRevisionConfig: { folder: "/srv/agent" },
  });
  expect((await registered(folders, "staging")).inputs["sourceRevisionConfig"]).toEqual({
    folder: "/srv/agent",
    contentHash: "0a".repeat(32),
  });
});

/**
 * Creates environments. Returns the names of those with a deployment, and the messages about those that are waiting.
 */
async function declared(environments: EnvironmentsArgs["environments"], change: object = {}) {
  const { deployments, waiting } = new Environments("support", { ...args, environments, ...change });
  const names = Object.keys(deployments);
  const [services, sentences] = await Promise.all(
    [deployments, waiting].map((by) => Promise.all(names.map((name) => valueOf<unknown>(by[name]!)))),
  );
  return {
    names: names.filter((_, index) => services![index]),
    waiting: Object.fromEntries(names.map((name, index) => [name, sentences![index]])),
  };
}

const since = `1111111 has been verified in development since 2026-01-05 10:00 UTC`;
const failing = ["node", "-e", "process.exit(3)"];

test.each<[string, NonNullable<EnvironmentsArgs["environments"][number]["gate"]>, string]>([
  [
    "nothing is approved",
    { approved: null },
    `${since} and is waiting for approval: set gate.approved to "${commit}"`,
  ],
  [
    "an approved commit has not been verified yet",
    { approved: later },
    `2222222 is approved, but development has not verified it; ${since} and is waiting for approval: set gate.approved to "${commit}"`,
  ],
  [
    "the artifact has not soaked",
    { soak: "30d" },
    `${since} and can be promoted only after 30d: run \`pulumi up\` after 2026-02-04 10:00 UTC`,
  ],
  ["a check fails", { checks: [{ command: failing }] }, `${since}, but check \`node`],
])("does not create an environment while %s", async (_, gate, reason) => {
  jest.spyOn(Date, "now").mockReturnValue(Date.parse("2026-01-06T10:00:00Z"));
  await connected();
  const { names, waiting } = await declared([
    { environment: "development" },
    { environment: "staging", gate },
    { environment: "production" },
  ]);
  expect(names).toEqual(["development"]);
  expect(waiting).toEqual({
    development: undefined,
    staging: expect.stringContaining(`staging does not exist yet; ${reason}`),
    production: "production does not exist yet; it waits for staging, which does not exist yet.",
  });
  expect(registeredAs("support-staging")).toBeUndefined();
});

/** Returns the state of the stack: outputs of an environment's deployment that has verified this commit. */
const inState = (environment: string, artifact: string) => {
  const types =
    "agentserver:index:Environments$agentserver:index:AgentService$pulumi-nodejs:dynamic/agentserver";
  const { environments: _environments, ...common } = args;
  return {
    [`urn:pulumi:dev::shop::${types}:Deployment::support-${environment}`]: {
      ...common,
      name: `support-agent-${environment}`,
      sourceRevisionConfig: { repoRef: artifact, graphConfigPath: "langgraph.json" },
      verified: verified("github", artifact),
      rolledOut: { source: "github", artifact, graphConfigPath: "langgraph.json" },
    },
  };
};

/** Runs programs without an engine, in a stack with this state. */
const withState = (state: Record<string, object>, isPreview = false) =>
  withoutEngine(
    ({ sourceRevisionConfig = {} }) => {
      const { repoRef } = sourceRevisionConfig as Record<string, string>;
      return { verified: verified("github", repoRef) };
    },
    isPreview,
    state,
  );

test("keeps the source of an existing environment if nothing is approved", async () => {
  await connected({}, { environment: "staging", commit: later });
  await withState(inState("staging", later));
  const created = new Environments("support", {
    ...args,
    environments: [{ environment: "development" }, { environment: "staging", gate: { approved: null } }],
  });
  expect((await registered(created, "staging")).inputs["sourceRevisionConfig"]).toMatchObject({
    repoRef: later,
  });
  expect(await valueOf(created.waiting["staging"]!)).toContain(`staging stays at 2222222; ${since}`);
});

test("keeps the commit that the stack has rolled out, not one that others have rolled out", async () => {
  await connected({}, { environment: "staging", commit: later });
  await withState(inState("staging", commit));
  const created = new Environments("support", {
    ...args,
    environments: [
      { environment: "development" },
      { environment: "staging", gate: { approved: null } },
      { environment: "production" },
    ],
  });
  for (const environment of ["staging", "production"])
    expect((await registered(created, environment)).inputs["sourceRevisionConfig"]).toMatchObject({
      repoRef: commit,
    });
});

test("does not compare the graph configuration path with another user's revision", async () => {
  await connected({}, { environment: "staging", commit: later });
  const state = inState("staging", commit);
  // A refresh stores the source of the newest revision.
  for (const outputs of Object.values(state))
    outputs.sourceRevisionConfig = { repoRef: later, graphConfigPath: "theirs.json" };
  await withState(state);
  const created = new Environments("support", {
    ...args,
    environments: [{ environment: "development" }, { environment: "staging", gate: { approved: null } }],
  });
  expect(await valueOf(created.waiting["staging"]!)).toBeUndefined();
});

test.each([
  ["restores an input that another user has changed", undefined],
  [
    "keeps the input that it sent last if the program has changed it as well",
    "https://git.example.com/new.git",
  ],
])("%s", async (_, repoUrl) => {
  await connected({}, { environment: "staging", commit });
  const { sourceConfig } = args;
  const state = inState("staging", commit);
  // A refresh stores the values that the server reports.
  const theirs = { sourceConfig: { ...sourceConfig, repoUrl: "https://git.example.com/theirs.git" } };
  for (const outputs of Object.values(state))
    Object.assign(outputs, { sentInputs: { sourceConfig }, ...theirs });
  await withState(state);
  const created = new Environments("support", {
    ...args,
    sourceConfig: { ...sourceConfig, ...(repoUrl && { repoUrl }) },
    environments: [{ environment: "development" }, { environment: "staging", gate: { approved: null } }],
  });
  const { inputs } = await registered(created, "staging");
  const sent = (inputs["sourceConfig"] as { repoUrl: unknown }).repoUrl;
  expect(sent).toEqual(repoUrl ? asSecret(sourceConfig.repoUrl) : sourceConfig.repoUrl);
  const keeps = expect.stringContaining("keeps its previous sourceConfig.repoUrl");
  expect(await valueOf(created.waiting["staging"]!)).toEqual(repoUrl ? keeps : undefined);
});

test("keeps a secret image marked as secret while a previous environment waits for approval", async () => {
  await connected();
  const images = { source: "external_docker", sourceConfig: {} } as const;
  const image = (digit: string) => `registry.example.com/support@sha256:${digit.repeat(64)}`;
  const rolledOut = { source: images.source, artifact: image("a") };
  const state = inState("production", commit);
  for (const outputs of Object.values(state)) Object.assign(outputs, { ...images, rolledOut });
  await withState(state);
  const created = new Environments("support", {
    ...args,
    ...images,
    sourceRevisionConfig: { imageUri: pulumi.secret(image("b")) },
    environments: [
      { environment: "development" },
      { environment: "staging", gate: { approved: null } },
      { environment: "production" },
    ],
  });
  expect(await pulumi.isSecret(created.waiting["production"]!)).toBe(true);
  const { sourceRevisionConfig } = (await registered(created, "production")).inputs;
  expect(sourceRevisionConfig).toEqual(asSecret({ imageUri: image("a") }));
});

test("does not adopt a commit that has not passed the gate, and does not promote it", async () => {
  await connected({}, { environment: "staging", commit: later });
  const { names, waiting } = await declared([
    { environment: "development" },
    { environment: "staging", gate: { approved: null }, adopt: "always" },
    { environment: "production" },
  ]);
  expect(names).toEqual(["development"]);
  expect(waiting["staging"]).toContain(
    "staging is not adopted yet, because development has not verified 2222222, which staging serves; 1111111 has been",
  );
});

test("adopts a commit that the previous environment has verified, and keeps it", async () => {
  await connected({}, { environment: "staging", commit });
  const { names } = await declared([
    { environment: "development" },
    { environment: "staging", gate: { approved: null }, adopt: "always" },
  ]);
  expect(names).toEqual(["development", "staging"]);
});

test("keeps an existing environment that follows an environment that does not exist yet", async () => {
  await connected({}, { environment: "production", commit: later });
  await withState(inState("production", later));
  const { names } = await declared([
    { environment: "development" },
    { environment: "staging", gate: { approved: null } },
    { environment: "production" },
  ]);
  expect(names).toEqual(["development", "production"]);
});

test("registers all environments before an inline program ends", async () => {
  await connected({}, { environment: "staging", commit: later });
  await withState(inState("staging", later));
  new Environments("support", {
    ...args,
    environments: [{ environment: "development" }, { environment: "staging", gate: { approved: null } }],
  });
  const runtime = pulumi.runtime as typeof pulumi.runtime & { waitForRPCs: () => Promise<void> };
  await runtime.waitForRPCs();
  expect(registeredAs("support-staging")).toBeDefined();
});

test("makes a resource that depends on the component depend on all environments", async () => {
  await connected();
  const support = new Environments("support", args);
  const { environments: _environments, ...settings } = args;
  const other = new Deployment("other", settings, { dependsOn: support });
  expect((await registration(other)).dependencies).toContainEqual(
    expect.stringMatching(/Deployment::support-staging$/),
  );
});

test("creates approved environments and logs what is waiting for approval", async () => {
  await connected({ "shop:approved": "1111111" });
  const environments: EnvironmentsArgs["environments"] = [
    { environment: "development" },
    { environment: "staging", gate: { approvedFrom: "approved" } },
    { environment: "production", gate: { approved: null } },
  ];
  const logged = new Promise((resolve) => {
    jest.spyOn(pulumi.log, "info").mockImplementation((text) => Promise.resolve(resolve(text)));
  });
  const created = new Environments("support", { ...args, environments });
  expect(await valueOf(created.deployments["production"]!)).toBeUndefined();
  expect(await logged).toBe(
    `Promotion: production does not exist yet; 1111111 has been verified in staging since 2026-01-05 10:00 UTC and is waiting for approval: set gate.approved to "${commit}".`,
  );
  expect((await registered(created, "staging")).inputs["sourceRevisionConfig"]).toMatchObject({
    repoRef: commit,
  });
});

test("declares the same contents in each environment, except those that it overrides by name", async () => {
  await connected();
  const assistants = { brief: { graph: "agent" }, long: { graph: "agent" } };
  const created = new Environments("support", {
    ...args,
    assistants,
    environments: [
      { environment: "development" },
      { environment: "staging", assistants: { long: { graph: "other" } } },
    ],
  });
  await registered(created, "staging");
  const { brief, long } = (await valueOf(created.services["staging"]!))!.assistants;
  await Promise.all([brief!, long!].map(({ id }) => valueOf(id)));
  const graphOf = (name: string) => registeredAnywhere(`support-${name}`, ":Assistant")!.inputs["graph"];
  expect(["development-brief", "development-long", "staging-brief", "staging-long"].map(graphOf)).toEqual([
    "agent",
    "agent",
    "agent",
    "other",
  ]);
});

test("promotes to an environment on another control plane, with its contents", async () => {
  const [here, there] = [
    await World.start(),
    await World.start({ apiKey: "their-key", tenantId: "tenant-2" }),
  ];
  await there.deployed({ ...agentAt(later), name: "support-agent-production" });
  await withState(inState("production", later));
  const connection = {
    baseUrl: there.plane.baseUrl,
    tenantId: there.plane.tenantId,
    apiKeyFrom: "agentserver:productionKey",
  };
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": here.plane.baseUrl,
    "agentserver:apiKey": here.plane.apiKey,
    "agentserver:tenantId": here.plane.tenantId,
    "agentserver:productionKey": there.plane.apiKey,
  });
  const created = new Environments("support", {
    ...args,
    assistants: { brief: { graph: "agent" } },
    environments: [
      { environment: "development" },
      { environment: "production", connection, gate: { approved: null } },
    ],
  });
  const { inputs } = await registered(created, "production");
  expect(inputs).toMatchObject({ sourceRevisionConfig: { repoRef: later }, connection });
  expect((await registered(created, "development")).inputs["connection"]).toBeUndefined();
  const { brief } = (await valueOf(created.services["production"]!))!.assistants;
  await valueOf(brief!.id);
  expect(registeredAnywhere("support-production-brief", ":Assistant")!.inputs["deployment"]).toMatchObject({
    connection,
  });
});

test("uses the component's connection for an environment whose connection is undefined", async () => {
  const common = { baseUrl: "https://common.example.com", tenantId: "tenant-2", apiKeyFrom: "COMMON_KEY" };
  const own = { ...common, tenantId: "tenant-3" };
  const created = new Environments("support", {
    ...args,
    connection: common,
    environments: [{ environment: "development", connection: undefined }],
  });
  expect((await registered(created, "development")).inputs["connection"]).toEqual(common);
  const other = new Environments("other", {
    ...args,
    connection: common,
    environments: [{ environment: "development", connection: own }],
  });
  const deployment = await valueOf(other.deployments["development"]!);
  await valueOf(deployment!.id);
  expect(registeredAs("other-development")!.inputs["connection"]).toEqual(own);
});

test("rolls back one environment to an approved commit if that commit was verified earlier", async () => {
  await connected({}, { environment: "staging", commit: later });
  await withoutEngine(() => ({ verified: verified("github", later, commit) }));
  const created = new Environments("support", {
    ...args,
    sourceRevisionConfig: { repoRef: later },
    environments: [{ environment: "development" }, { environment: "staging", gate: { approved: commit } }],
  });
  expect((await registered(created, "staging")).inputs["sourceRevisionConfig"]).toMatchObject({
    repoRef: commit,
  });
});

test("does not promote a revision that was adopted without verification", async () => {
  await connected({}, { environment: "staging", commit });
  await withoutEngine(
    () => ({
      settledRevision: { id: "r1", status: "DEPLOYED" },
      serving: { revisionId: "r1", sourceRevisionConfig: { repoRef: later } },
      verified: { history: [] },
    }),
    false,
    inState("staging", commit),
  );
  const created = new Environments("support", { ...args, sourceRevisionConfig: { repoRef: later } });
  expect((await registered(created, "staging")).inputs["sourceRevisionConfig"]).toMatchObject({
    repoRef: commit,
  });
});

test.each<[string, object, string]>([
  ["an empty name", { name: "" }, "name is missing"],
  [
    "an unsupported source",
    { source: "internal_template" },
    "source must be one of github, external_docker, internal_source",
  ],
  ["no environments", { environments: [] }, "environments must be a list with at least one environment"],
  [
    "an image with a tag",
    { source: "external_docker", sourceRevisionConfig: { imageUri: "a:v1" } },
    "sourceRevisionConfig.imageUri a:v1 must include its digest",
  ],
  [
    "a rollout without waiting",
    { rollout: { wait: false } },
    "environments[0].rollout.wait must not be false",
  ],
  [
    "a gate in the first environment",
    { environments: [{ environment: "a", gate }] },
    "environments[0].gate is not allowed in the first environment",
  ],
  [
    "a duplicate environment",
    { environments: [{ environment: "a" }, { environment: "a" }] },
    'environments[1].environment: "a" is used by another environment',
  ],
  [
    "a duplicate deployment name",
    {
      environments: [
        { environment: "a", name: "x" },
        { environment: "b", name: "x" },
      ],
    },
    'environments[1].name: "x" is already the name of the deployment of "a"',
  ],
  [
    "a different source in one environment",
    { environments: [{ environment: "a" }, { environment: "b", sourceRevisionConfig: {} }] },
    "environments[1].sourceRevisionConfig is the same in all environments",
  ],
  [
    "a gate for folders",
    { source: "internal_source", environments: [{ environment: "a" }, { environment: "b", gate }] },
    "environments[1].gate is not supported for folders",
  ],
  [
    "a gate without an approval",
    { environments: [{ environment: "a" }, { environment: "b", gate: {} }] },
    "environments[1].gate needs at least one condition: approved (an empty string if nothing is approved yet)",
  ],
  [
    "a build on push in a promoted environment",
    { sourceConfig: { buildOnPush: true } },
    "environments[1].sourceConfig.buildOnPush must not be true",
  ],
  [
    "an approval that is too short",
    { environments: [{ environment: "a" }, { environment: "b", gate: { approved: "1" } }] },
    "environments[1].gate.approved must be a commit (at least its first seven digits)",
  ],
  ["a connection without a key", { connection: { region: "eu" } }, "connection.apiKeyFrom is required"],
  [
    "an environment's connection without a key",
    { environments: [{ environment: "a" }, { environment: "b", connection: { region: "eu" } }] },
    "environments[1].connection.apiKeyFrom is required",
  ],
])("rejects %s", (_, change, message) => {
  const create = () => new Environments("support", { ...args, ...change });
  expect(create).toThrow(`Environments "support": ${message}`);
  expect(registeredAs("support")).toBeUndefined();
});
