import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { status, type ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { unknownValue } from "@pulumi/pulumi/runtime";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { systemClock } from "../../../provider/clock";
import { asSecret } from "../../../provider/engine/sentinels";
import type { Props } from "../../../provider/resource/inputs/values";
import { SessionPool } from "../../../provider/session/session-pool";
import { construct } from "../../../sdk/components/construct";
import { connect, propsIn, send, struct } from "../../provider/hosts/plugin/client";
import { RecordedLog } from "../../provider/recorded-log";
import { temporaryFolder } from "../../tools/temporary-folder";
import { gone, until } from "../../tools/waiting";
import { FakeMonitor } from "./fake-monitor";
import { startPlugin } from "./plugin-process";
import { manifestText, overlayText } from "../manifests/manifest-text";

let monitor: FakeMonitor;
let client: ResourceProviderClient;
let environments: Set<string>;

beforeEach(async () => {
  environments = new Set();
  monitor = await FakeMonitor.start();
  client = await connect({
    kindOf: () => undefined,
    sessions: new SessionPool({ env: {}, clock: systemClock, random: () => 0.5 }),
    log: new RecordedLog(),
    schema: () => "{}",
    construct: (request, signal) =>
      construct(request, {
        engine: monitor.address,
        options: { version: "1.2.3", pluginDownloadURL: "github://x" },
        environments,
        signal,
      }),
  });
});
afterEach(() => monitor.close());

const commit = "1".repeat(40);
const source = {
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
  sourceRevisionConfig: { repoRef: commit, graphConfigPath: "langgraph.json" },
};
const stackUrn = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";

/** Returns a request in the format of the engine. */
function request(type: string, name: string, inputs: object): messages.ConstructRequest {
  return new messages.ConstructRequest()
    .setProject("shop")
    .setStack("dev")
    .setOrganization("acme")
    .setParallel(16)
    .setMonitorendpoint(monitor.address)
    .setParent(stackUrn)
    .setType(`agentserver:index:${type}`)
    .setName(name)
    .setInputs(struct(inputs));
}

const failureOf = (request: messages.ConstructRequest) =>
  send(client, "construct", request).then(
    () => undefined,
    (error: unknown) => {
      const { code, details } = error as ServiceError;
      return { code, details };
    },
  );

test("registers the resources of a component as resources of the plugin", async () => {
  const provider = "urn:pulumi:dev::shop::pulumi:providers:agentserver::eu::id";
  const sent = request("AgentService", "support", {
    name: "support-agent",
    ...source,
    assistants: { brief: { graph: "agent" } },
    crons: { report: { assistant: "brief", schedule: "0 9 * * *" } },
  });
  sent.getProvidersMap().set("agentserver", provider);
  const response = await send(client, "construct", sent);

  expect(response.getUrn()).toBe("urn:pulumi:dev::shop::agentserver:index:AgentService::support");
  const component = monitor.registration("support", "AgentService");
  expect([component.getParent(), component.getProvidersMap().get("agentserver")]).toEqual([
    stackUrn,
    provider,
  ]);
  for (const [name, type] of [
    ["support", "Deployment"],
    ["support-brief", "Assistant"],
    ["support-report", "Cron"],
  ] as const) {
    const resource = monitor.registration(name, type);
    expect(resource.toObject()).toMatchObject({
      type: `agentserver:index:${type}`,
      parent: response.getUrn(),
      provider,
      version: "1.2.3",
      plugindownloadurl: "github://x",
      aliasesList: [{ spec: expect.objectContaining({ type: `pulumi-nodejs:dynamic/agentserver:${type}` }) }],
    });
    expect(Object.keys(propsIn(resource.getObject())).filter((key) => key.startsWith("__"))).toEqual([]);
  }
  expect(propsIn(monitor.registration("support-report", "Cron").getObject())).toMatchObject({
    deployment: { id: "support-id" },
  });
  const state = propsIn(response.getState());
  expect(state).toMatchObject({
    deploymentId: "support-id",
    deployment: { urn: "urn:pulumi:dev::shop::agentserver:index:Deployment::support", id: "support-id" },
    assistants: { brief: { id: "support-brief-id" } },
  });
});

test("forwards the options of the program", async () => {
  const other = "urn:pulumi:dev::shop::shop:index:Team::sales";
  const spec = new Alias.Spec().setName("old").setType("shop:index:Old").setNoparent(true);
  const sent = request("AgentService", "support", { name: "support-agent", ...source })
    .setProtect(true)
    .setRetainondelete(true)
    .setDependenciesList([other])
    .setDeletedwith(other)
    .setIgnorechangesList(["name"])
    .setReplaceonchangesList(["source"])
    .setCustomtimeouts(new messages.ConstructRequest.CustomTimeouts().setCreate("5m"))
    .setAliasesList([new Alias().setUrn(other), new Alias().setSpec(spec)]);
  await send(client, "construct", sent);
  expect(monitor.registration("support", "AgentService").toObject()).toMatchObject({
    protect: true,
    retainondelete: true,
    dependenciesList: [other],
    deletedwith: other,
    ignorechangesList: ["name"],
    replaceonchangesList: ["source"],
    customtimeouts: { create: "5m", update: "", pb_delete: "" },
    aliasesList: [{ urn: other }, { spec: { name: "old", type: "shop:index:Old" } }],
  });
  // Inherited from the component.
  expect(monitor.registration("support", "Deployment").getProtect()).toBe(true);
});

test("leaves options undefined that the program does not set", async () => {
  await send(client, "construct", request("AgentService", "support", { name: "support-agent", ...source }));
  const component = monitor.registration("support", "AgentService");
  expect([component.hasProtect(), component.hasRetainondelete()]).toEqual([false, false]);
});

const unknown = { "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4" };
const output = (value: unknown, secret = false) => ({ ...unknown, value, secret });

test("forwards unknown values and secrets, and returns them", async () => {
  monitor.outputsOf = () => ({ url: unknownValue, displayName: unknownValue });
  const sent = request("Environments", "support", {
    name: "support-agent",
    ...source,
    sourceConfig: { repoUrl: output("https://git.example.com/private.git", true) },
    displayName: unknown,
    environments: [{ environment: "staging", environmentVariables: { KEY: output("hidden", true) } }],
  });
  const response = await send(client, "construct", sent.setDryrun(true));
  expect(propsIn(monitor.registration("support-staging", "Deployment").getObject())).toMatchObject({
    sourceConfig: { repoUrl: asSecret("https://git.example.com/private.git") },
    displayName: unknownValue,
    environmentVariables: { KEY: asSecret("hidden") },
  });
  expect(propsIn(response.getState())).toMatchObject({
    deployments: { staging: { id: "support-staging-id" } },
    urls: { staging: unknownValue },
    serves: { staging: unknownValue },
  });
});

test("forwards null, and values with dependencies", async () => {
  const other = "urn:pulumi:dev::shop::shop:index:Team::sales";
  const sent = request("AgentService", "support", {
    name: "support-agent",
    ...source,
    rollout: null,
    sourceConfig: { ...source.sourceConfig, customUrl: null },
  });
  const dependencies = new messages.ConstructRequest.PropertyDependencies().setUrnsList([other]);
  for (const name of ["sourceConfig", "name"]) sent.getInputdependenciesMap().set(name, dependencies);
  await send(client, "construct", sent);
  const resource = monitor.registration("support", "Deployment");
  expect(propsIn(resource.getObject())).toMatchObject({
    name: "support-agent",
    rollout: { verify: {} },
    sourceConfig: { repoUrl: "https://git.example.com/agents.git", customUrl: null },
  });
  expect(resource.getDependenciesList()).toEqual([other]);
});

test("applies the `clear` of environments after the common values and the common `clear`", async () => {
  monitor.outputsOf = () => ({ verified: unknownValue });
  const customUrl = "https://agents.example.com";
  const spec = { cpu: 1 };
  const sent = request("Environments", "support", {
    name: "support-agent",
    source: "internal_source",
    sourceRevisionConfig: { folder: "agent" },
    sourceConfig: { ...source.sourceConfig, resourceSpec: spec },
    clear: ["sourceConfig.customUrl"],
    environments: [
      { environment: "one" },
      { environment: "two", sourceConfig: { customUrl } },
      { environment: "three", clear: ["sourceConfig.resourceSpec"] },
    ],
  });
  await send(client, "construct", sent.setDryrun(true));
  const inputsOf = (name: string) =>
    propsIn(monitor.registration(`support-${name}`, "Deployment").getObject());
  expect(["one", "two", "three"].map((name) => inputsOf(name)["sourceConfig"])).toEqual([
    { ...source.sourceConfig, resourceSpec: spec, customUrl: null },
    { ...source.sourceConfig, resourceSpec: spec, customUrl },
    { ...source.sourceConfig, resourceSpec: null, customUrl: null },
  ]);
  expect(inputsOf("one")).not.toHaveProperty("clear");
});

test("marks each secret variable", async () => {
  const sent = request("AgentService", "support", {
    name: "support-agent",
    ...source,
    secrets: asSecret({ KEY: "hidden" }),
  });
  await send(client, "construct", sent);
  const { secrets } = propsIn(monitor.registration("support", "Deployment").getObject());
  expect(secrets).toEqual(asSecret({ KEY: "hidden" }));
});

test("lets the engine determine whether a computed argument protects a deployment", async () => {
  const inputs = { name: "support-agent", ...source, deletionProtection: output(false) };
  await send(client, "construct", request("AgentService", "support", inputs));
  const resource = monitor.registration("support", "Deployment");
  expect([resource.getProtect(), resource.getTransformsList().length]).toEqual([false, 1]);
});

test.each([
  ["Workspace", { manifests: output("manifests") }, "manifests must not be an output"],
  [
    "AgentService",
    { name: "a", ...source, crons: { report: { schedule: "* * * * *" } } },
    "crons.report.assistant is missing",
  ],
  ["AgentService", { name: "a", ...source, crons: unknown }, "crons must not be an output"],
  [
    "AgentService",
    { name: "a", ...source, crons: { report: output({}) } },
    "crons.report must not be an output",
  ],
  ["Environments", { ...source }, "name is missing"],
  ["Environments", { name: output("a"), ...source }, "name must not be an output"],
  [
    "Environments",
    { name: "a", ...source, environments: [{ environment: "a", gate: { approved: output(commit) } }] },
    "environments[0].gate.approved must not be an output",
  ],
  [
    "Environments",
    { name: "a", ...source, environments: [{ environment: "a", clear: ["sourceConfig.customUrls"] }] },
    "environments[0].clear: sourceConfig.customUrls cannot be cleared; did you mean sourceConfig.customUrl?",
  ],
])("reports an invalid argument of %s, and registers nothing (%#)", async (type, inputs, text) => {
  const failure = await failureOf(request(type, "broken", inputs));
  expect(failure).toEqual({ code: status.UNKNOWN, details: expect.stringContaining(text) });
  expect(failure!.details).toContain(`${type} "broken"`);
  expect(monitor.registered).toEqual([]);
});

test("names an unknown component type", async () => {
  expect(await failureOf(request("Toaster", "kitchen", {}))).toEqual({
    code: status.INVALID_ARGUMENT,
    details: "The provider has no component type agentserver:index:Toaster.",
  });
});

test("fails if a resource cannot be registered, and the process continues", async () => {
  monitor.outputsOf = () => {
    throw new Error("no room");
  };
  const folder = temporaryFolder({
    "Pulumi.yaml": "name: shop",
    "src/__main__.py": "",
    "manifests/sales.yaml": manifestText("", "sales"),
  });
  await inProcess(join(folder, "src"), async () => {
    const sent = request("AgentService", "support", { name: "support-agent", ...source });
    expect(await failureOf(sent)).toEqual({
      code: status.UNKNOWN,
      details: expect.stringContaining("no room"),
    });
    monitor.outputsOf = () => ({});
    // Paths are relative to the project's folder, although the program is in another one.
    await send(client, "construct", request("Workspace", "agents", { manifests: "manifests" }));
    expect(monitor.registration("sales", "Deployment").getName()).toBe("sales");
  });
});

/** Uses a plugin in its own process, where outputs may fail that nothing waits for. */
async function inProcess<Result>(cwd: string, work: () => Promise<Result>): Promise<Result> {
  const plugin = await startPlugin(monitor.address, { cwd });
  try {
    client = plugin.client;
    return await work();
  } finally {
    plugin.close();
  }
}

/** Returns environments, the second of which is waiting for its first approval. */
const gated = (gate: object) => ({
  name: "support-agent",
  ...source,
  environments: [{ environment: "staging" }, { environment: "production", gate }],
});

test("fails before an environment with an unknown source would be deleted", async () => {
  const provider = "urn:pulumi:dev::shop::pulumi:providers:agentserver::eu::id";
  const urn =
    "urn:pulumi:dev::shop::agentserver:index:Environments$agentserver:index:AgentService$agentserver:index:Deployment::support-production";
  monitor.outputsOf = () => ({ verified: { history: [] } });
  monitor.resultOf = (token): Props => {
    if (token.endsWith("readStackResourceOutputs"))
      return { outputs: { [urn]: { outputs: { name: "support-agent-production" } } } };
    return token.endsWith("getDeployments")
      ? { deployments: [{ id: "d-1", name: "support-agent-production" }] }
      : { revisions: [{ id: "r-1", status: "BUILD_FAILED", repoRef: commit }] };
  };
  const sent = request("Environments", "support", gated({ approved: "" }));
  sent.getProvidersMap().set("agentserver", provider);
  const failure = await inProcess(temporaryFolder({}), () => failureOf(sent));
  expect(failure!.details).toBe(
    "Nothing can be promoted: production serves no known source; the next artifact that staging verifies requires approval.",
  );
  // The lookups use the provider of the component.
  expect(monitor.invoked.map((one) => [one.getTok(), one.getProvider()])).toEqual([
    ["pulumi:pulumi:readStackResourceOutputs", ""],
    ["agentserver:index:getDeployments", provider],
    ["agentserver:index:getRevisions", provider],
  ]);
});

test("fails without a gate if the previous environment has verified nothing", async () => {
  monitor.outputsOf = () => ({ verified: { history: [] } });
  monitor.resultOf = () => ({ deployments: [] });
  const environments = [{ environment: "staging" }, { environment: "production" }];
  const sent = request("Environments", "support", { name: "support-agent", ...source, environments });
  const failure = await inProcess(temporaryFolder({}), () => failureOf(sent));
  expect(failure?.details).toMatch(
    /^Nothing can be promoted: production does not exist yet; staging has not verified any artifact/,
  );
});

test("looks up the deployment with exactly the name of the environment", async () => {
  const [other, own] = ["2".repeat(40), "3".repeat(40)];
  const verified = (artifact: string) => ({
    source: "github",
    artifact,
    revisionId: "r-1",
    verifiedAt: "2026-01-05T10:00:00.000Z",
    verification: { ok: true, run: false },
  });
  monitor.outputsOf = () => ({ verified: { history: [other, own].map(verified) } });
  monitor.resultOf = (token, { deploymentId }): Props =>
    token.endsWith("getDeployments")
      ? {
          deployments: [
            { id: "d-2", name: "support-agent-production-2", activeRevisionId: "r-1" },
            { id: "d-1", name: "support-agent-production", activeRevisionId: "r-1" },
          ],
        }
      : { revisions: [{ id: "r-1", status: "DEPLOYED", repoRef: deploymentId === "d-1" ? own : other }] };
  await send(client, "construct", request("Environments", "support", gated({ approved: "" })));
  expect(propsIn(monitor.registration("support-production", "Deployment").getObject())).toMatchObject({
    sourceRevisionConfig: { repoRef: own },
  });
});

describe("a deployment in the stack whose environment waits", () => {
  const component = "agentserver:index:Environments";
  const urnIn = (types: string, name: string) =>
    `urn:pulumi:dev::shop::${types}$agentserver:index:AgentService$pulumi-nodejs:dynamic/agentserver:Deployment::${name}`;
  const ownUrn = urnIn(component, "support-production");

  /** Declares environments in a stack whose state contains these resources. */
  function declare(
    resources: Record<string, object>,
    { aliases = [], refused }: { aliases?: Alias[]; refused?: string } = {},
  ): Promise<{ details: string } | undefined> {
    monitor.registered.length = 0;
    monitor.outputsOf = () => ({ verified: { history: [] } });
    monitor.resultOf = (token, { stackName }): Props => {
      if (token.endsWith("getDeployments")) return { deployments: [] };
      if (stackName === refused)
        throw new Error("a stack name may only contain alphanumeric, hyphens, underscores, or periods");
      const sourceRevisionConfig = { repoRef: commit };
      const common = { name: "support-agent", ...source, sourceRevisionConfig };
      const entries = Object.entries(resources).map(([urn, own]) => [
        urn,
        { outputs: { ...common, ...own } },
      ]);
      return { outputs: Object.fromEntries(entries) };
    };
    return failureOf(request("Environments", "support", gated({ approved: "" })).setAliasesList(aliases));
  }

  const production = () => propsIn(monitor.registration("support-production", "Deployment").getObject());

  const earlier = new Alias().setSpec(new Alias.Spec().setName("help"));
  const moved = new Alias().setUrn(`urn:pulumi:dev::shop::shop:index:Old$${component}::support`);

  test.each<[string, string, { aliases?: Alias[]; refused?: string }]>([
    ["of the component", ownUrn, {}],
    ["of a renamed component", urnIn(component, "help-production"), { aliases: [earlier] }],
    [
      "of a component with a new parent",
      urnIn(`shop:index:Old$${component}`, "support-production"),
      { aliases: [moved] },
    ],
    ["in a backend with the legacy layout", ownUrn, { refused: "acme/shop/dev" }],
  ])("keeps its name and its source, even if no server lists it: %s", async (_case, urn, options) => {
    expect(await declare({ [urn]: {} }, options)).toBeUndefined();
    expect(production()).toMatchObject({ name: "support-agent", sourceRevisionConfig: { repoRef: commit } });
  });

  test("keeps the inputs for which it would be replaced", async () => {
    const imageUri = `registry.example.com/support@sha256:${"a".repeat(64)}`;
    const image = { source: "external_docker", sourceConfig: {}, sourceRevisionConfig: { imageUri } };
    const fork = { sourceConfig: { repoUrl: "https://git.example.com/fork.git" } };
    for (const before of [image, fork, { shareable: true }]) {
      expect(await declare({ [ownUrn]: { name: "support-agent-production", ...before } })).toBeUndefined();
      if ("shareable" in before) expect(production()).not.toHaveProperty("shareable");
      else if (before === image) expect(production()).toMatchObject(image);
      // State does not show which values are secret.
      else
        expect(production()["sourceConfig"]).toMatchObject({ repoUrl: asSecret(fork.sourceConfig.repoUrl) });
    }
  });

  test("keeps the spelling of its repository, for which it would be replaced", async () => {
    const repoUrl = source.sourceConfig.repoUrl.replace(/\.git$/, "");
    expect(await declare({ [ownUrn]: { sourceConfig: { repoUrl } } })).toBeUndefined();
    expect(production()["sourceConfig"]).toMatchObject({ repoUrl: asSecret(repoUrl) });
  });

  test("does not give its path to an image that it keeps", async () => {
    const imageUri = `registry.example.com/support@sha256:${"a".repeat(64)}`;
    const image = { source: "external_docker", sourceConfig: {}, sourceRevisionConfig: { imageUri } };
    expect(await declare({ [ownUrn]: { name: "support-agent-production", ...image } })).toBeUndefined();
    expect(production()["sourceRevisionConfig"]).toEqual({ imageUri });
  });

  test("is not confused with an environment whose name ends alike", async () => {
    expect(await declare({ [urnIn(component, "support-eu-production")]: {} })).toBeUndefined();
  });

  test("does not keep a connection, which a server may reach with another key", async () => {
    const connection = { region: "eu", tenantId: "t", apiKeyFrom: "OLD_KEY" };
    expect(await declare({ [ownUrn]: { connection } })).toBeUndefined();
    expect(production()).not.toHaveProperty("connection");
  });

  const otherUrns = [
    urnIn(`shop:index:Team$${component}`, "help-production"),
    urnIn(component, "other-production"),
  ];

  test.each(otherUrns)("is not deleted if the component may have been renamed: %s", async (urn) => {
    const own = `urn:pulumi:dev::shop::${component}::support`;
    // An update renames the component in state before its deployments.
    for (const state of [{ [urn]: {} }, { [urn]: {}, [own]: {} }]) {
      const failure = await inProcess(temporaryFolder({}), () => declare(state));
      expect(failure?.details).toMatch(
        /^Environments "support": the state of the stack contains production of Environments "(help|other)", .* aliases: \["urn:pulumi:dev::shop::.*agentserver:index:Environments::\1"\]/,
      );
    }
  });

  test.each(otherUrns)("does not matter if it belongs to another component: %s", async (urn) => {
    const other = urn.replace(/\$agentserver:index:AgentService.*::(.*)-production$/, "::$1");
    environments.add(other);
    expect(await declare({ [urn]: {} })).toBeUndefined();
    environments.clear();
    // Both components are in state, so neither was renamed to the other.
    const own = `urn:pulumi:dev::shop::${component}::support`;
    expect(await declare({ [urn]: {}, [own]: {}, [other]: {} })).toBeUndefined();
    expect(await declare({ [urnIn(component, "support-live")]: {} })).toBeUndefined();
  });

  test("is not deleted if the state cannot be read", async () => {
    monitor.outputsOf = () => ({ verified: { history: [] } });
    monitor.resultOf = (token): Props => {
      if (token.endsWith("getDeployments")) return { deployments: [] };
      throw new Error("the passphrase is incorrect");
    };
    const sent = request("Environments", "support", gated({ approved: "" }));
    const failure = await inProcess(temporaryFolder({}), () => failureOf(sent));
    expect(failure?.details).toMatch(
      /^Environments "support": the state of the stack could not be read, .*the passphrase is incorrect\. Nothing is deleted/,
    );
  });
});

/** Returns a request for environments, the second of which is promoted if this command succeeds. */
function checkedBy(command: string[]): messages.ConstructRequest {
  const entry = {
    source: "github",
    artifact: commit,
    revisionId: "r-1",
    verifiedAt: "2026-01-01T00:00:00.000Z",
    verification: { ok: true, run: false },
  };
  monitor.outputsOf = () => ({ verified: { current: entry, history: [entry] } });
  monitor.resultOf = () => ({ deployments: [] });
  return request("Environments", "support", gated({ checks: [{ command }] }));
}

test("hides secrets of the configuration in messages about checks", async () => {
  const sent = checkedBy(["false", "--token", "hush-hush"]).setConfigsecretkeysList(["shop:token"]);
  sent.getConfigMap().set("shop:token", "hush-hush");
  await inProcess(temporaryFolder({}), async () => {
    const { deployments, waiting } = propsIn((await send(client, "construct", sent)).getState());
    expect(Object.keys(deployments as object)).toEqual(["staging"]);
    const { production } = waiting as Record<string, string>;
    expect(production).toMatch(/^production does not exist yet;.* check `false --token \[secret\]` failed/);
    expect(production).not.toContain("hush-hush");
  });
});

test("stops a check when the update is canceled", async () => {
  const file = join(temporaryFolder({}), "pid");
  const program = `require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const pid = () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
  await inProcess(temporaryFolder({}), async () => {
    const constructed = send(client, "construct", checkedBy([process.execPath, "-e", program]));
    await until(() => pid() > 0);
    await send(client, "cancel", new Empty());
    await constructed;
    await gone(pid());
  });
});

test("keeps the settings of concurrent constructions separate", async () => {
  const folder = temporaryFolder({
    "sales.yaml": manifestText("secrets: { KEY: '${secret:key}' }", "sales"),
    "overlays/dev/sales.yaml": overlayText("displayName: dev", "sales"),
    "overlays/prod/sales.yaml": overlayText("displayName: prod", "sales"),
  });
  const monitors = await Promise.all([FakeMonitor.start(), FakeMonitor.start()]);
  try {
    const stacks = ["dev", "prod"];
    await Promise.all(
      stacks.map(async (stack, index) => {
        const sent = request("Workspace", "agents", { manifests: folder })
          .setStack(stack)
          .setMonitorendpoint(monitors[index]!.address)
          .setConfigsecretkeysList(["shop:key"]);
        sent.getConfigMap().set("shop:key", `secret of ${stack}`);
        await send(client, "construct", sent);
      }),
    );
    const inputs = monitors.map((one) => propsIn(one.registration("sales", "Deployment").getObject()));
    expect(inputs).toMatchObject(
      stacks.map((stack) => ({ displayName: stack, secrets: { KEY: asSecret(`secret of ${stack}`) } })),
    );
    expect(monitors.map(({ registered }) => registered.length)).toEqual([2, 2]);
  } finally {
    for (const one of monitors) one.close();
  }
});

test("ends when the update is canceled, without adding an error to those of the resources", async () => {
  let registers!: () => void;
  const registering = new Promise<void>((resolve) => (registers = resolve));
  monitor.outputsOf = (resource) => {
    if (!resource.getCustom()) return {};
    registers();
    return new Promise(() => {});
  };
  const sent = request("AgentService", "support", { name: "support-agent", ...source });
  const constructed = send(client, "construct", sent);
  await registering;
  await send(client, "cancel", new Empty());
  expect((await constructed).getUrn()).toBe("");
  expect((await send(client, "construct", sent)).getUrn()).toBe("");
});
