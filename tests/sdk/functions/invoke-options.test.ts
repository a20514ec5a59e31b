import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../../sdk";
import { AgentWorld } from "../../provider/agent-world";
import { valueOf } from "../program";

let world: AgentWorld;

beforeAll(async () => {
  world = await AgentWorld.start();
});

class Marker extends pulumi.CustomResource {
  constructor(name: string, options?: pulumi.CustomResourceOptions) {
    super("test:index:Marker", name, {}, options);
  }
}

class Group extends pulumi.ComponentResource {
  constructor(name: string, nested?: string) {
    super("test:index:Group", name);
    if (nested === undefined) new Marker(`${name}-marker`, { parent: this });
    else new NestedGroup(nested, this);
  }
}

class NestedGroup extends pulumi.ComponentResource {
  constructor(name: string, parent: pulumi.Resource) {
    super("test:index:NestedGroup", name, {}, { parent });
    new Marker(`${name}-marker`, { parent: this });
  }
}

/** Runs programs without an engine. Each resource is created only after `create` has resolved. */
async function withMocks(create: (name: string) => Promise<void>, isPreview = false): Promise<void> {
  const newResource = async ({ name }: pulumi.runtime.MockResourceArgs) => {
    await create(name);
    return { id: isPreview ? undefined : `${name}-id`, state: {} };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "shop", "dev", isPreview, "acme");
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": world.plane.baseUrl,
    "agentserver:apiKey": world.plane.apiKey,
    "agentserver:tenantId": world.plane.tenantId,
  });
}

const args: Record<string, unknown> = {
  getDeploymentOutput: { name: "support-agent" },
  getDeploymentLogsOutput: { deploymentId: "d" },
  getIntegrationOutput: { repoUrl: "https://github.com/example/agents" },
  authenticateOutput: { provider: "github", scopes: ["repo"] },
  getRevisionsOutput: "d",
  getAssistantOutput: { name: "Brief" },
  getStoreItemOutput: { namespace: ["a"], key: "k" },
};

/** Calls the output variant of a function with its arguments and these options. */
function call(name: string, options: pulumi.InvokeOutputOptions): pulumi.Output<unknown> {
  const run = (sdk as unknown as Record<string, (...given: unknown[]) => pulumi.Output<unknown>>)[name]!;
  if (name === "getListenersOutput") return run(options);
  const given = args[name] ?? {};
  return run(typeof given === "string" ? given : { ...world.deployment, ...given }, options);
}

const outputForms = Object.keys(sdk).filter((name) => name.endsWith("Output"));

test.each(outputForms)(
  "sends no requests for %s in a preview until the resources in `dependsOn` exist",
  async (name) => {
    await withMocks(() => Promise.resolve(), true);
    world.forget();

    const found = call(name, { dependsOn: pulumi.output(pulumi.unknown as unknown as pulumi.Resource) });

    expect(await (found as unknown as { isKnown: Promise<boolean> }).isKnown).toBe(false);
    expect(world.admin.journal({ agents: true })).toEqual([]);
  },
);

test.each([
  ["a resource", () => new Marker("one")],
  ["a list of resources", () => [new Marker("one"), new Marker("two")]],
  ["an output", () => pulumi.output(new Marker("one"))],
  ["a promise", () => Promise.resolve([new Marker("one")])],
  ["a component", () => new Group("group")],
  ["a component in a component", () => new Group("group", "nested")],
])("runs a lookup with literal arguments after the creation of %s", async (_kind, dependencies) => {
  const key = `key-${_kind}`;
  await withMocks(async (name) => {
    if (["one", "group-marker", "nested-marker"].includes(name))
      await world.ask("PUT", "/store/items", { namespace: ["order"], key, value: { created: true } });
  });

  const found = sdk.getStoreItemOutput(
    { ...world.deployment, namespace: ["order"], key },
    { dependsOn: dependencies() as pulumi.Input<pulumi.Resource> },
  );

  expect((await valueOf(found)).value).toEqual({ created: true });
});

test.each([
  ["store item", () => sdk.getStoreItem({ ...world.deployment, namespace: ["a"], key: "none" })],
  ["assistant", () => sdk.getAssistant({ ...world.deployment, name: "none" })],
  ["deployment", () => sdk.getDeployment({ name: "none" })],
])("explains how to run a lookup after a create if the %s is not found", async (_kind, lookUp) => {
  await withMocks(() => Promise.resolve());

  await expect(lookUp()).rejects.toThrow(
    /(was not found|no deployment).*\. If the same program creates it, use the `…Output` form .* `dependsOn` option/,
  );
});
