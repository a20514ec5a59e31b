import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { asSecret } from "../../../provider/engine/sentinels";
import type { Props } from "../../../provider/resource/inputs/values";
import { propsIn, send } from "../../provider/hosts/plugin/client";
import { temporaryFolder } from "../../tools/temporary-folder";
import { gone, until } from "../../tools/waiting";
import { commit, Construction, source } from "./construction";

const construction = Construction.forEachTest();

/** Returns environments, the second of which is waiting for its first approval. */
const gated = (gate: object, own: object = {}) => ({
  name: "support-agent",
  ...source,
  environments: [{ environment: "staging" }, { environment: "production", gate, ...own }],
});

test("fails, instead of deleting an environment, if the source of the environment is unknown", async () => {
  const provider = "urn:pulumi:dev::shop::pulumi:providers:agentserver::eu::id";
  const urn =
    "urn:pulumi:dev::shop::agentserver:index:Environments$agentserver:index:AgentService$agentserver:index:Deployment::support-production";
  construction.monitor.outputsOf = () => ({ verified: { history: [] } });
  construction.monitor.resultOf = (token): Props => {
    if (token.endsWith("readStackResourceOutputs"))
      return { outputs: { [urn]: { outputs: { name: "support-agent-production" } } } };
    return token.endsWith("getDeployments")
      ? { deployments: [{ id: "d-1", name: "support-agent-production" }] }
      : { revisions: [{ id: "r-1", status: "BUILD_FAILED", repoRef: commit }] };
  };
  const sent = construction.request("Environments", "support", gated({ approved: "" }));
  sent.getProvidersMap().set("agentserver", provider);
  const failure = await construction.inProcess(temporaryFolder({}), () => construction.failureOf(sent));
  expect(failure!.details).toBe(
    'Environments "support": Nothing can be promoted: the source that production serves is not known; the next artifact that staging verifies requires approval.',
  );
  // The lookups use the provider of the component.
  expect(construction.monitor.invoked.map((one) => [one.getTok(), one.getProvider()])).toEqual([
    ["pulumi:pulumi:readStackResourceOutputs", ""],
    ["agentserver:index:getDeployments", provider],
    ["agentserver:index:getRevisions", provider],
  ]);
});

test("fails if there is no gate and the previous environment has verified nothing", async () => {
  construction.monitor.outputsOf = () => ({ verified: { history: [] } });
  construction.monitor.resultOf = () => ({ deployments: [] });
  const environments = [{ environment: "staging" }, { environment: "production" }];
  const sent = construction.request("Environments", "support", {
    name: "support-agent",
    ...source,
    environments,
  });
  const failure = await construction.inProcess(temporaryFolder({}), () => construction.failureOf(sent));
  expect(failure?.details).toMatch(
    /^Environments "support": Nothing can be promoted: production does not exist yet; staging has not verified any artifact/,
  );
});

test("finds only the deployment whose name exactly matches the environment", async () => {
  const [other, own] = ["2".repeat(40), "3".repeat(40)];
  const verified = (artifact: string) => ({
    source: "github",
    artifact,
    revisionId: "r-1",
    verifiedAt: "2026-01-05T10:00:00.000Z",
    verification: { ok: true, run: false },
  });
  construction.monitor.outputsOf = () => ({ verified: { history: [other, own].map(verified) } });
  construction.monitor.resultOf = (token, { deploymentId }): Props =>
    token.endsWith("getDeployments")
      ? {
          deployments: [
            { id: "d-2", name: "support-agent-production-2", activeRevisionId: "r-1" },
            { id: "d-1", name: "support-agent-production", activeRevisionId: "r-1" },
          ],
        }
      : { revisions: [{ id: "r-1", status: "DEPLOYED", repoRef: deploymentId === "d-1" ? own : other }] };
  await send(
    construction.client,
    "construct",
    construction.request("Environments", "support", gated({ approved: "" })),
  );
  expect(
    propsIn(construction.monitor.registration("support-production", "Deployment").getObject()),
  ).toMatchObject({ sourceRevisionConfig: { repoRef: own } });
});

describe("an existing deployment whose environment waits for approval", () => {
  const component = "agentserver:index:Environments";
  const urnIn = (types: string, name: string) =>
    `urn:pulumi:dev::shop::${types}$agentserver:index:AgentService$pulumi-nodejs:dynamic/agentserver:Deployment::${name}`;
  const ownUrn = urnIn(component, "support-production");

  /** Returns the source that the stack has rolled out, for inputs that others have not changed since then. */
  const rolledOutOf = (inputs: { source: string; sourceRevisionConfig: Record<string, string> }) => ({
    source: inputs.source,
    artifact: inputs.sourceRevisionConfig["repoRef"] ?? inputs.sourceRevisionConfig["imageUri"],
  });

  /** Declares environments in a stack whose state contains these resources. */
  function declare(
    resources: Record<string, object>,
    { aliases = [], refused, own }: { aliases?: Alias[]; refused?: string; own?: object } = {},
  ): Promise<{ details: string } | undefined> {
    construction.monitor.registered.length = 0;
    construction.monitor.outputsOf = () => ({ verified: { history: [] } });
    construction.monitor.resultOf = (token, { stackName }): Props => {
      if (token.endsWith("getDeployments")) return { deployments: [] };
      if (stackName === refused)
        throw new Error("a stack name may only contain alphanumeric, hyphens, underscores, or periods");
      const sourceRevisionConfig = { repoRef: commit };
      const common = { name: "support-agent", ...source, sourceRevisionConfig };
      const entries = Object.entries(resources).map(([urn, own]) => [
        urn,
        { outputs: { ...common, rolledOut: rolledOutOf({ ...common, ...own }), ...own } },
      ]);
      return { outputs: Object.fromEntries(entries) };
    };
    return construction.failureOf(
      construction.request("Environments", "support", gated({ approved: "" }, own)).setAliasesList(aliases),
    );
  }

  const production = () =>
    propsIn(construction.monitor.registration("support-production", "Deployment").getObject());

  const earlier = new Alias().setSpec(new Alias.Spec().setName("help"));
  const moved = new Alias().setUrn(`urn:pulumi:dev::shop::shop:index:Old$${component}::support`);

  test.each<[string, string, { aliases?: Alias[]; refused?: string }]>([
    ["child of the component", ownUrn, {}],
    ["child of a renamed component", urnIn(component, "help-production"), { aliases: [earlier] }],
    [
      "child of a component with a new parent",
      urnIn(`shop:index:Old$${component}`, "support-production"),
      { aliases: [moved] },
    ],
    ["backend with the legacy layout", ownUrn, { refused: "acme/shop/dev" }],
  ])("keeps its name and its source, even if no server lists it: %s", async (_case, urn, options) => {
    expect(await declare({ [urn]: {} }, options)).toBeUndefined();
    expect(production()).toMatchObject({ name: "support-agent", sourceRevisionConfig: { repoRef: commit } });
  });

  test("keeps its previous values of inputs that would replace it when changed", async () => {
    const imageUri = `registry.example.com/support@sha256:${"a".repeat(64)}`;
    const image = { source: "external_docker", sourceConfig: {}, sourceRevisionConfig: { imageUri } };
    const fork = { sourceConfig: { repoUrl: "https://git.example.com/fork.git" } };
    for (const before of [image, fork, { shareable: true }]) {
      expect(await declare({ [ownUrn]: { name: "support-agent-production", ...before } })).toBeUndefined();
      if ("shareable" in before) expect(production()).not.toHaveProperty("shareable");
      else if (before === image) expect(production()).toMatchObject(image);
      // The state does not show which values are secret, so this value is treated as secret.
      else
        expect(production()["sourceConfig"]).toMatchObject({ repoUrl: asSecret(fork.sourceConfig.repoUrl) });
    }
  });

  test("gets a new resource specification even if it keeps another kind of source", async () => {
    const imageUri = `registry.example.com/support@sha256:${"a".repeat(64)}`;
    const image = { source: "external_docker", sourceRevisionConfig: { imageUri } };
    const sourceConfig = { resourceSpec: { cpu: 1 }, deploymentType: "prod" };
    const before = { name: "support-agent-production", ...image, sourceConfig };
    const own = { sourceConfig: { resourceSpec: { cpu: 2 } } };
    expect(await declare({ [ownUrn]: before }, { own })).toBeUndefined();
    expect(production()["sourceConfig"]).toEqual({
      resourceSpec: { cpu: 2 },
      deploymentType: asSecret("prod"),
    });
  });

  test("keeps the spelling of its repository URL, because a change would replace it", async () => {
    const repoUrl = source.sourceConfig.repoUrl.replace(/\.git$/, "");
    expect(await declare({ [ownUrn]: { sourceConfig: { repoUrl } } })).toBeUndefined();
    expect(production()["sourceConfig"]).toMatchObject({ repoUrl: asSecret(repoUrl) });
  });

  test("gets no graph configuration path if it keeps an image", async () => {
    const imageUri = `registry.example.com/support@sha256:${"a".repeat(64)}`;
    const image = { source: "external_docker", sourceConfig: {}, sourceRevisionConfig: { imageUri } };
    expect(await declare({ [ownUrn]: { name: "support-agent-production", ...image } })).toBeUndefined();
    expect(production()["sourceRevisionConfig"]).toEqual({ imageUri });
  });

  test("is distinguished from an environment whose name has the same ending", async () => {
    const own = `urn:pulumi:dev::shop::${component}::support`;
    const environments = ["staging", "eu-production"];
    const state = { [own]: { environments }, [urnIn(component, "support-eu-production")]: {} };
    expect(await declare(state)).toBeUndefined();
  });

  test("does not keep its previous connection, because the key may have changed", async () => {
    const connection = { region: "eu", tenantId: "t", apiKeyFrom: "OLD_KEY" };
    expect(await declare({ [ownUrn]: { connection } })).toBeUndefined();
    expect(production()).not.toHaveProperty("connection");
  });

  const otherUrns = [
    urnIn(`shop:index:Team$${component}`, "help-production"),
    urnIn(component, "other-production"),
  ];

  test("is ignored if it belongs to another component and its environment has a longer name", async () => {
    construction.monitor.others.add(`urn:pulumi:dev::shop::${component}::other`);
    expect(await declare({ [urnIn(component, "other-eu-production")]: {} })).toBeUndefined();
  });

  test.each(otherUrns)("is not deleted if the component may have been renamed: %s", async (urn) => {
    const own = `urn:pulumi:dev::shop::${component}::support`;
    // An update renames the component in state before its deployments.
    const other = urn.replace(/\$agentserver:index:AgentService.*::(.*)-production$/, "::$1");
    // Without an alias, both names are in state during an update.
    for (const state of [
      { [urn]: {} },
      { [urn]: {}, [own]: {} },
      { [urn]: {}, [own]: {}, [other]: { environments: ["production"] } },
    ]) {
      const failure = await construction.inProcess(temporaryFolder({}), () => declare(state));
      expect(failure?.details).toMatch(
        /^Environments "support": the state of the stack contains production of Environments "(help|other)", .* aliases: \["urn:pulumi:dev::shop::.*agentserver:index:Environments::\1"\]/,
      );
    }
  });

  test.each(otherUrns)("is ignored if it belongs to another component: %s", async (urn) => {
    const other = urn.replace(/\$agentserver:index:AgentService.*::(.*)-production$/, "::$1");
    construction.monitor.others.add(other);
    expect(await declare({ [urn]: {} })).toBeUndefined();
    // Another process registers the other component concurrently.
    construction.monitor.others.clear();
    const declared = declare({ [urn]: {} });
    setTimeout(() => construction.monitor.others.add(other), 400);
    expect(await declared).toBeUndefined();
    construction.monitor.others.clear();
    // An earlier update has completed both components, so neither was renamed to the other.
    const own = `urn:pulumi:dev::shop::${component}::support`;
    const complete = { environments: ["staging", "production"] };
    expect(await declare({ [urn]: {}, [own]: complete, [other]: complete })).toBeUndefined();
    expect(await declare({ [urnIn(component, "support-live")]: {} })).toBeUndefined();
  });

  test("is not attributed to a component with a shorter name", async () => {
    const other = `urn:pulumi:dev::shop::${component}::support-eu`;
    const state = {
      [urnIn(component, "support-eu-production")]: {},
      [other]: { environments: ["staging", "production"] },
    };
    const failure = await construction.inProcess(temporaryFolder({}), () => declare(state));
    expect(failure?.details).toContain('production of Environments "support-eu"');
  });

  test("is not attributed to a component without environments in state", async () => {
    construction.monitor.others.add(`urn:pulumi:dev::shop::${component}::other`);
    const state = {
      [urnIn(component, "other-eu-production")]: {},
      [`urn:pulumi:dev::shop::${component}::other-eu`]: { environments: ["staging", "production"] },
    };
    const failure = await construction.inProcess(temporaryFolder({}), () => declare(state));
    expect(failure?.details).toContain('production of Environments "other-eu"');
  });

  test("is found under its earlier name even if only the component has been renamed in state", async () => {
    construction.monitor.others.add(`urn:pulumi:dev::shop::${component}::other`);
    const own = `urn:pulumi:dev::shop::${component}::support`;
    const state = {
      [urnIn(component, "other-eu-staging")]: {},
      [urnIn(component, "other-eu-production")]: {},
      [own]: { environments: ["staging", "production"] },
    };
    const failure = await construction.inProcess(temporaryFolder({}), () => declare(state));
    expect(failure?.details).toContain('production of Environments "other-eu"');
  });

  test("is found by reading the state again if the engine was writing it", async () => {
    const declared = declare({ [ownUrn]: {} });
    const { resultOf } = construction.monitor;
    let reads = 0;
    construction.monitor.resultOf = (token, args): Props => {
      if (token.endsWith("readStackResourceOutputs") && (reads += 1) < 3)
        throw new Error("failed to load checkpoint: EOF");
      return resultOf(token, args) as Props;
    };
    expect(await declared).toBeUndefined();
    expect(production()).toMatchObject({ sourceRevisionConfig: { repoRef: commit } });
    expect(reads).toBe(3);
  });

  test("is not deleted if the state cannot be read", async () => {
    construction.monitor.outputsOf = () => ({ verified: { history: [] } });
    construction.monitor.resultOf = (token): Props => {
      if (token.endsWith("getDeployments")) return { deployments: [] };
      throw new Error("the passphrase is incorrect");
    };
    const sent = construction.request("Environments", "support", gated({ approved: "" }));
    const failure = await construction.inProcess(temporaryFolder({}), () => construction.failureOf(sent));
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
  construction.monitor.outputsOf = () => ({ verified: { current: entry, history: [entry] } });
  construction.monitor.resultOf = () => ({ deployments: [] });
  return construction.request("Environments", "support", gated({ checks: [{ command }] }));
}

test("redacts secret configuration values in messages about checks", async () => {
  const sent = checkedBy(["false", "--token", "hush-hush"]).setConfigsecretkeysList(["shop:token"]);
  sent.getConfigMap().set("shop:token", "hush-hush");
  await construction.inProcess(temporaryFolder({}), async () => {
    const { deployments, waiting } = propsIn((await send(construction.client, "construct", sent)).getState());
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
  await construction.inProcess(temporaryFolder({}), async () => {
    const constructed = send(construction.client, "construct", checkedBy([process.execPath, "-e", program]));
    await until(() => pid() > 0);
    await send(construction.client, "cancel", new Empty());
    await constructed;
    await gone(pid());
  });
});
