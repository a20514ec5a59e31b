import { join } from "node:path";
import { status } from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { unknownValue } from "@pulumi/pulumi/runtime";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { asSecret } from "../../../provider/engine/sentinels";
import { readJson } from "../../json";
import { propsIn, send } from "../../provider/hosts/plugin/client";
import { temporaryFolder } from "../../tools/temporary-folder";
import { commit, Construction, source, stackUrn } from "./construction";
import { FakeMonitor } from "./fake-monitor";
import { manifestText, overlayText } from "../manifests/manifest-text";

const construction = Construction.forEachTest();

test("registers the resources of a component with the plugin's resource types", async () => {
  const provider = "urn:pulumi:dev::shop::pulumi:providers:agentserver::eu::id";
  const sent = construction.request("AgentService", "support", {
    name: "support-agent",
    ...source,
    assistants: { brief: { graph: "agent" } },
    crons: { report: { assistant: "brief", schedule: "0 9 * * *" } },
  });
  sent.getProvidersMap().set("agentserver", provider);
  const response = await send(construction.client, "construct", sent);

  expect(response.getUrn()).toBe("urn:pulumi:dev::shop::agentserver:index:AgentService::support");
  const component = construction.monitor.registration("support", "AgentService");
  expect([component.getParent(), component.getProvidersMap().get("agentserver")]).toEqual([
    stackUrn,
    provider,
  ]);
  for (const [name, type] of [
    ["support", "Deployment"],
    ["support-brief", "Assistant"],
    ["support-report", "Cron"],
  ] as const) {
    const resource = construction.monitor.registration(name, type);
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
  expect(propsIn(construction.monitor.registration("support-report", "Cron").getObject())).toMatchObject({
    deployment: { id: "support-id" },
  });
  const state = propsIn(response.getState());
  expect(state).toMatchObject({
    deploymentId: "support-id",
    deployment: { urn: "urn:pulumi:dev::shop::agentserver:index:Deployment::support", id: "support-id" },
    assistants: { brief: { id: "support-brief-id" } },
  });
});

test("rejects a field named `__proto__` in the arguments of a component", async () => {
  const assistants = { brief: { graph: "agent", metadata: readJson('{"__proto__": "x"}') } };
  const sent = construction.request("AgentService", "support", { name: "agent", ...source, assistants });
  expect(await construction.failureOf(sent)).toMatchObject({
    details:
      'AgentService "support": assistants.brief.metadata.__proto__ cannot be passed to the provider; use another name.',
  });
});

test("forwards the resource options that the program sets", async () => {
  const other = "urn:pulumi:dev::shop::shop:index:Team::sales";
  const spec = new Alias.Spec().setName("old").setType("shop:index:Old").setNoparent(true);
  const sent = construction
    .request("AgentService", "support", { name: "support-agent", ...source })
    .setProtect(true)
    .setRetainondelete(true)
    .setDependenciesList([other])
    .setDeletedwith(other)
    .setIgnorechangesList(["name"])
    .setReplaceonchangesList(["source"])
    .setCustomtimeouts(new messages.ConstructRequest.CustomTimeouts().setCreate("5m"))
    .setAliasesList([new Alias().setUrn(other), new Alias().setSpec(spec)]);
  await send(construction.client, "construct", sent);
  expect(construction.monitor.registration("support", "AgentService").toObject()).toMatchObject({
    protect: true,
    retainondelete: true,
    dependenciesList: [other],
    deletedwith: other,
    ignorechangesList: ["name"],
    replaceonchangesList: ["source"],
    customtimeouts: { create: "5m", update: "", pb_delete: "" },
    aliasesList: [{ urn: other }, { spec: { name: "old", type: "shop:index:Old" } }],
  });
  // The deployment inherits this option from the component.
  expect(construction.monitor.registration("support", "Deployment").getProtect()).toBe(true);
});

test("does not send resource options that the program does not set", async () => {
  await send(
    construction.client,
    "construct",
    construction.request("AgentService", "support", { name: "support-agent", ...source }),
  );
  const component = construction.monitor.registration("support", "AgentService");
  expect([component.hasProtect(), component.hasRetainondelete()]).toEqual([false, false]);
});

const unknown = { "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4" };
const output = (value: unknown, secret = false) => ({ ...unknown, value, secret });

test("forwards unknown values and secrets, and returns them", async () => {
  construction.monitor.outputsOf = () => ({ url: unknownValue, displayName: unknownValue });
  const sent = construction.request("Environments", "support", {
    name: "support-agent",
    ...source,
    sourceConfig: { repoUrl: output("https://git.example.com/private.git", true) },
    displayName: unknown,
    environments: [{ environment: "staging", environmentVariables: { KEY: output("hidden", true) } }],
  });
  const response = await send(construction.client, "construct", sent.setDryrun(true));
  expect(
    propsIn(construction.monitor.registration("support-staging", "Deployment").getObject()),
  ).toMatchObject({
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
  const sent = construction.request("AgentService", "support", {
    name: "support-agent",
    ...source,
    rollout: null,
    sourceConfig: { ...source.sourceConfig, customUrl: null },
  });
  const dependencies = new messages.ConstructRequest.PropertyDependencies().setUrnsList([other]);
  for (const name of ["sourceConfig", "name"]) sent.getInputdependenciesMap().set(name, dependencies);
  await send(construction.client, "construct", sent);
  const resource = construction.monitor.registration("support", "Deployment");
  expect(propsIn(resource.getObject())).toMatchObject({
    name: "support-agent",
    rollout: { verify: {} },
    sourceConfig: { repoUrl: "https://git.example.com/agents.git", customUrl: null },
  });
  expect(resource.getDependenciesList()).toEqual([other]);
});

test("applies the `clear` list of an environment after common values and the common `clear`", async () => {
  construction.monitor.outputsOf = () => ({ verified: unknownValue });
  const customUrl = "https://agents.example.com";
  const spec = { cpu: 1 };
  const sent = construction.request("Environments", "support", {
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
  await send(construction.client, "construct", sent.setDryrun(true));
  const inputsOf = (name: string) =>
    propsIn(construction.monitor.registration(`support-${name}`, "Deployment").getObject());
  expect(["one", "two", "three"].map((name) => inputsOf(name)["sourceConfig"])).toEqual([
    { ...source.sourceConfig, resourceSpec: spec, customUrl: null },
    { ...source.sourceConfig, resourceSpec: spec, customUrl },
    { ...source.sourceConfig, resourceSpec: null, customUrl: null },
  ]);
  expect(inputsOf("one")).not.toHaveProperty("clear");
});

test("marks each value in secrets as secret", async () => {
  const sent = construction.request("AgentService", "support", {
    name: "support-agent",
    ...source,
    secrets: asSecret({ KEY: "hidden" }),
  });
  await send(construction.client, "construct", sent);
  const { secrets } = propsIn(construction.monitor.registration("support", "Deployment").getObject());
  expect(secrets).toEqual(asSecret({ KEY: "hidden" }));
});

test("leaves it to a transform to protect a deployment if deletionProtection is an output", async () => {
  const inputs = { name: "support-agent", ...source, deletionProtection: output(false) };
  await send(construction.client, "construct", construction.request("AgentService", "support", inputs));
  const resource = construction.monitor.registration("support", "Deployment");
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
  const failure = await construction.failureOf(construction.request(type, "broken", inputs));
  expect(failure).toEqual({ code: status.UNKNOWN, details: expect.stringContaining(text) });
  expect(failure!.details).toContain(`${type} "broken"`);
  expect(construction.monitor.registered).toEqual([]);
});

test("does not reveal secret arguments or configuration in an error", async () => {
  construction.monitor.outputsOf = () => {
    throw new Error("refused: hush-1, hush-2, hush-3, hush-4");
  };
  const sent = construction
    .request("AgentService", "support", {
      name: "support-agent",
      ...source,
      secrets: { A: asSecret("hush-1"), B: output({ deep: ["hush-2"] }, true) },
    })
    .setConfigsecretkeysList(["shop:text", "shop:object"]);
  sent.getConfigMap().set("shop:text", "hush-3").set("shop:object", '{"deep":["hush-4"]}');
  const failure = await construction.inProcess(temporaryFolder({}), () => construction.failureOf(sent));
  expect(failure!.details).toContain("refused: [secret], [secret], [secret], [secret]");
});

test("rejects an unknown component type, and includes it in the error", async () => {
  expect(await construction.failureOf(construction.request("Toaster", "kitchen", {}))).toEqual({
    code: status.INVALID_ARGUMENT,
    details: "The provider has no component type agentserver:index:Toaster.",
  });
});

test("fails if a resource cannot be registered, without ending the process", async () => {
  construction.monitor.outputsOf = () => {
    throw new Error("no room");
  };
  const folder = temporaryFolder({
    "Pulumi.yaml": "name: shop",
    "src/__main__.py": "",
    "manifests/sales.yaml": manifestText("", "sales"),
  });
  await construction.inProcess(join(folder, "src"), async () => {
    const sent = construction.request("AgentService", "support", { name: "support-agent", ...source });
    expect(await construction.failureOf(sent)).toEqual({
      code: status.UNKNOWN,
      details: expect.stringContaining("no room"),
    });
    construction.monitor.outputsOf = () => ({});
    // Paths are relative to the project's folder, although the program is in another one.
    await send(
      construction.client,
      "construct",
      construction.request("Workspace", "agents", { manifests: "manifests" }),
    );
    expect(construction.monitor.registration("sales", "Deployment").getName()).toBe("sales");
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
        const sent = construction
          .request("Workspace", "agents", { manifests: folder })
          .setStack(stack)
          .setMonitorendpoint(monitors[index]!.address)
          .setConfigsecretkeysList(["shop:key"]);
        sent.getConfigMap().set("shop:key", `secret of ${stack}`);
        await send(construction.client, "construct", sent);
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

test("returns without an error of its own when the update is canceled", async () => {
  let registers!: () => void;
  const registering = new Promise<void>((resolve) => (registers = resolve));
  construction.monitor.outputsOf = (resource) => {
    if (!resource.getCustom()) return {};
    registers();
    return new Promise(() => {});
  };
  const sent = construction.request("AgentService", "support", { name: "support-agent", ...source });
  const constructed = send(construction.client, "construct", sent);
  await registering;
  await send(construction.client, "cancel", new Empty());
  expect((await constructed).getUrn()).toBe("");
  expect((await send(construction.client, "construct", sent)).getUrn()).toBe("");
});
