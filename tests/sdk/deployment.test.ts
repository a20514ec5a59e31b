import * as pulumi from "@pulumi/pulumi";
import { Assistant, Deployment, type DeploymentArgs, type DeploymentSettings } from "../../sdk";
import { prepareArgs } from "../../sdk/hidden-inputs";
import { isSecret } from "../provider/wire";
import { registeredAs, registration, valueOf, withoutEngine } from "./program";

const args: DeploymentArgs = {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
  sourceRevisionConfig: { repoRef: "v1" },
};

/** Internal members of a Pulumi output. */
interface Promises {
  promise(): Promise<unknown>;
  isKnown: Promise<boolean>;
  isSecret: Promise<boolean>;
  allResources(): Promise<unknown>;
}

beforeEach(() => withoutEngine());

test("registers a type and provider code that never change, because state contains them", async () => {
  const { type, name, inputs } = await registration(new Deployment("agent", args));
  expect(type).toBe("pulumi-nodejs:dynamic/agentserver:Deployment");
  expect(Deployment.__pulumiType).toBe(type);
  expect(name).toBe("agent");
  expect(inputs["__provider"]).toBe(
    'exports.handler = () => require("pulumi-agentserver/provider").provider;',
  );
});

test("registers the inputs unchanged, together with data for the provider", async () => {
  const { inputs } = await registration(new Deployment("agent", args));
  const { __provider: _provider, ...rest } = inputs;
  expect(rest).toEqual({
    ...args,
    __call: {
      urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent",
      organization: "acme",
    },
  });
});

test("passes the correct URN to the provider if the parent is a component", async () => {
  const parent = new pulumi.ComponentResource("shop:index:Team", "sales");
  const agent = new Deployment("agent", args, { parent });
  const { inputs } = await registration(agent);
  expect(inputs.__call.urn).toBe(await valueOf(agent.urn));
  expect(inputs.__call.urn).toContain("shop:index:Team$pulumi-nodejs:dynamic/agentserver:Deployment::agent");
});

test("does not make deployments in a component wait for each other", async () => {
  const parent = new pulumi.ComponentResource("shop:index:Team", "sales");
  const agents = ["one", "two", "three"].map((name) => new Deployment(name, args, { parent }));
  const urns = await Promise.all(agents.map((agent) => valueOf(agent.urn)));
  expect(urns).toHaveLength(3);
});

test("passes a connection to its assistants only if the program specifies one", async () => {
  await withoutEngine(undefined, true);
  const deployment = new Deployment("agent", args);
  const { inputs } = await registration(new Assistant("brief", { deployment, graph: "agent" }));
  expect(inputs["deployment"]).toEqual({ id: expect.anything(), url: expect.anything() });
  const connection = { region: "eu", tenantId: "t", apiKeyFrom: "euKey" } as const;
  const other = new Deployment("other", { ...args, connection });
  expect(
    (await registration(new Assistant("long", { deployment: other, graph: "agent" }))).inputs,
  ).toMatchObject({ deployment: { connection } });
});

test("passes null as secrets to the provider, which rejects it", async () => {
  const { inputs } = await registration(new Deployment("agent", { ...args, secrets: null as never }));
  expect(inputs.secrets).toBeNull();
});

test("marks each secret value, and keeps the names visible", async () => {
  const secrets = { PLAIN: "canary-1", LATER: pulumi.output("canary-2"), MARKED: pulumi.secret("canary-3") };
  const { inputs } = await registration(new Deployment("agent", { ...args, secrets }));
  expect(Object.keys(inputs.secrets).sort()).toEqual(["LATER", "MARKED", "PLAIN"]);
  for (const value of Object.values(inputs.secrets)) expect(isSecret(value)).toBe(true);
  expect(inputs.secrets["LATER"]!.value).toBe("canary-2");
});

test.each<[string, () => Partial<DeploymentSettings>]>([
  ["sourceConfig.resourceSpec.self", () => ({ sourceConfig: { resourceSpec: circular({}) } })],
  ["rollout.triggers.0.self.0", () => ({ rollout: { triggers: [circular([])] } })],
])("rejects a circular input with its path: %s", (path, change) => {
  expect(() => new Deployment("agent", { ...args, ...change() })).toThrow(
    `Deployment "agent": ${path} contains itself; pass a value without cycles.`,
  );
  expect(registeredAs("agent")).toBeUndefined();
});

function circular(inside: unknown[] | object): Record<string, unknown> {
  const value: Record<string, unknown> = { self: inside };
  if (Array.isArray(inside)) inside.push(value);
  else value["self"] = value;
  return value;
}

describe("property names on the object prototype", () => {
  const lost = (value: unknown) => Object.fromEntries([["__proto__", value]]) as Record<string, string>;
  const text = (path: string) =>
    `Deployment "agent": ${path}.__proto__ cannot be passed to the provider; use another name.`;

  test.each<[string, Partial<DeploymentSettings>]>([
    ["secrets", { secrets: lost("canary") }],
    ["secrets", { secrets: lost(pulumi.secret("canary")) }],
    ["sourceConfig.resourceSpec", { sourceConfig: { resourceSpec: lost({ a: "canary" }) } }],
    ["sourceConfig.resourceSpec.labels", { sourceConfig: { resourceSpec: { labels: lost("canary") } } }],
    ["rollout.triggers.1", { rollout: { triggers: [1, lost("canary")] } }],
  ])("rejects __proto__ in %s before registering a resource", (path, change) => {
    expect(() => new Deployment("agent", { ...args, ...change })).toThrow(new Error(text(path)));
    expect(registeredAs("agent")).toBeUndefined();
  });

  test("rejects __proto__ in the value of a promise after the promise resolves", async () => {
    const secrets = Promise.resolve(lost("canary"));
    await expect(prepareArgs('Deployment "agent"', { ...args, secrets }).secrets).rejects.toThrow(
      text("secrets"),
    );
  });

  test("rejects __proto__ in the value of an output after the value is known", async () => {
    const resourceSpec = pulumi.output(1).apply(() => lost("canary"));
    const { sourceConfig } = prepareArgs('Deployment "agent"', { ...args, sourceConfig: { resourceSpec } });
    const checked = (sourceConfig as { resourceSpec: unknown }).resourceSpec as Promises;
    const [value, ...others] = [checked.promise(), checked.isKnown, checked.isSecret, checked.allResources()];
    await Promise.allSettled(others);
    await expect(value).rejects.toThrow(text("sourceConfig.resourceSpec"));
  });

  test("passes other prototype names unchanged", async () => {
    const odd = { constructor: "canary-1", toString: "canary-2", hasOwnProperty: "canary-3" };
    const secrets = odd as unknown as Record<string, string>;
    const resourceSpec = { ...odd, labels: pulumi.output({ valueOf: odd }) };
    const rollout = { triggers: [odd] };
    const { inputs } = await registration(
      new Deployment("agent", { ...args, secrets, rollout, sourceConfig: { resourceSpec } }),
    );
    expect(inputs["rollout"]).toEqual(rollout);
    const names = Object.keys(odd).sort();
    expect(Object.keys(inputs.secrets).sort()).toEqual(names);
    for (const name of names) expect(isSecret(inputs.secrets[name])).toBe(true);
    expect(inputs.secrets["constructor"]!.value).toBe("canary-1");
    expect(inputs.sourceConfig.resourceSpec).toEqual({ ...odd, labels: { valueOf: odd } });
  });
});

test("marks an output that contains secrets as entirely secret", async () => {
  const { inputs } = await registration(
    new Deployment("agent", { ...args, secrets: pulumi.output({ KEY: "canary" }) }),
  );
  expect(isSecret(inputs.secrets)).toBe(true);
});

test.each<[string, Partial<DeploymentSettings>, pulumi.CustomResourceOptions | undefined, boolean]>([
  ["true", { deletionProtection: true }, undefined, true],
  ["true, but the program sets protect to false", { deletionProtection: true }, { protect: false }, false],
  ["false", { deletionProtection: false }, undefined, false],
])("sets the protect option correctly if deletionProtection is %s", async (_what, change, opts, protect) => {
  const registered = await registration(new Deployment("agent", { ...args, ...change }, opts));
  expect(registered.protect ?? false).toBe(protect);
});

test("passes customTimeouts to the provider", async () => {
  const opts = { customTimeouts: { create: "1h", delete: "5m" } };
  const { inputs } = await registration(new Deployment("agent", args, opts));
  expect(inputs.__call.timeouts).toEqual({ create: "1h", delete: "5m" });
});

test("passes the paths of other secret inputs, so that the provider does not print them", async () => {
  const { inputs } = await registration(
    new Deployment("agent", {
      ...args,
      sourceConfig: {
        repoUrl: pulumi.secret("https://me:canary@git.example.com/a.git"),
        resourceSpec: { labels: { "a.b": pulumi.secret("canary") } },
      },
      sourceRevisionConfig: pulumi.secret({ repoRef: "v1" }),
      secrets: { KEY: "canary" },
    }),
  );
  expect(inputs.__call.secretPaths.sort()).toEqual([
    "sourceConfig.repoUrl",
    "sourceConfig.resourceSpec.labels.a.b",
    "sourceRevisionConfig",
  ]);
});

test.each([
  ["a promise", (value: object): unknown => Promise.resolve(value)],
  ["an output", (value: object): unknown => pulumi.output(1).apply(() => value)],
])("lists the paths of secrets inside %s", async (_, later) => {
  const { inputs } = await registration(
    new Deployment("agent", {
      ...args,
      environmentVariables: later({ TOKEN: pulumi.secret("canary"), PLAIN: "x" }) as never,
      sourceConfig: later({
        repoUrl: "https://git.example.com/agents.git",
        resourceSpec: later({ labels: { a: later({ b: pulumi.secret("canary") }) } }),
      }) as never,
    }),
  );
  expect(inputs.__call.secretPaths.sort()).toEqual([
    "environmentVariables.TOKEN",
    "sourceConfig.resourceSpec.labels.a.b",
  ]);
  expect(inputs.environmentVariables).toMatchObject({ TOKEN: { value: "canary" }, PLAIN: "x" });
});

test("lists the path of a secret in a map that also contains an unknown value", async () => {
  const unknown: unknown = pulumi.output(pulumi.unknown);
  const variables = pulumi.output(1).apply(() => ({ UNKNOWN: unknown, TOKEN: pulumi.secret("canary") }));
  const { inputs } = await registration(
    new Deployment("agent", { ...args, environmentVariables: variables as never }),
  );
  expect(inputs.__call.secretPaths).toEqual(["environmentVariables.TOKEN"]);
});

test("exposes each output under its name, and the ID as deploymentId", async () => {
  const agent = new Deployment("agent", args);
  expect(await valueOf(agent.url)).toBe("https://agent.example.com");
  expect(await valueOf(agent.name)).toBe("support-agent");
  expect(await valueOf(agent.deploymentId)).toBe("agent-id");
});

test("lists the required arguments if none are specified", () => {
  const make = () => new Deployment("agent", undefined as unknown as DeploymentArgs);
  expect(make).toThrow('Deployment "agent" needs arguments: name, source, sourceConfig, …');
});

test("reads a deployment using only its ID", async () => {
  const agent = Deployment.get("shared", "d-1");
  const { id, type, inputs } = await registration(agent);
  expect([id, type]).toEqual(["d-1", Deployment.__pulumiType]);
  expect(Object.keys(inputs).sort()).toEqual(["__call", "__provider"]);
});

describe("isInstance", () => {
  test("accepts a deployment from another copy of the package", async () => {
    expect(Deployment.isInstance(new Deployment("agent", args))).toBe(true);
    let Other!: typeof Deployment;
    jest.isolateModules(() => {
      const copy = jest.requireActual<{ Deployment: typeof Deployment }>("../../sdk/deployment");
      Other = copy.Deployment;
    });
    expect(Other).not.toBe(Deployment);
    expect(Other.isInstance(new Deployment("other", args))).toBe(true);
  });

  test.each([undefined, null, "text", {}, { __pulumiType: "pulumi-nodejs:dynamic/agentserver:Deployment" }])(
    "returns false for %j",
    (value) => {
      expect(Deployment.isInstance(value)).toBe(false);
    },
  );

  test("returns false for resources of other types", () => {
    expect(Deployment.isInstance(new pulumi.ComponentResource("shop:index:Team", "sales"))).toBe(false);
    class Queue extends pulumi.CustomResource {}
    expect(Deployment.isInstance(new Queue("cloud:index:Queue", "queue", {}))).toBe(false);
  });
});
