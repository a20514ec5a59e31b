import * as pulumi from "@pulumi/pulumi";
import { displayRedactor } from "../../provider/core/redaction";
import { asError } from "../../provider/errors";
import { secretTextsIn } from "../../provider/hosts/kept-secrets";
import { invalid } from "../../provider/hosts/plugin/failures";
import { clearablePaths, withCleared } from "../../provider/hosts/plugin/cleared";
import { decode } from "../../provider/hosts/plugin/properties";
import { type messages, proto, Struct } from "../../provider/hosts/plugin/protocol";
import { kinds } from "../../provider/kinds";
import { lostNames } from "../../provider/resource/inputs/shape";
import { holds } from "../../provider/resource/inputs/unknown";
import { isGroup, type Props, textsAt } from "../../provider/resource/inputs/values";
import { type PluginScope, pluginScope } from "../registration";
import { Workspace } from "../workspace";
import { AgentService } from "./agent-service";
import { Environments } from "./environments";
import { runtime } from "./pulumi-runtime";

/** Values that the plugin process supplies when it constructs a component. */
export interface ConstructContext extends Pick<PluginScope, "options" | "signal"> {
  /** Address of the engine that requested the component. */
  engine: string;
}

/** A component and its outputs. */
type Constructed = readonly [component: pulumi.ComponentResource, outputs: pulumi.Inputs];

type Create = (name: string, args: never, opts: pulumi.ComponentResourceOptions) => Constructed;

/** Functions that create the components, keyed by type token. */
const components: Readonly<Record<string, Create>> = {
  [Workspace.__pulumiType]: (...given) => {
    const workspace = new Workspace(...given);
    const { deployments, assistants, crons, urls } = workspace;
    return [workspace, { deployments, assistants, crons, urls }];
  },
  [AgentService.__pulumiType]: (...given) => {
    const service = new AgentService(...given);
    const { deployment, assistants, crons, memory, url, verified } = service;
    return [service, { deployment, deploymentId: deployment.id, assistants, crons, memory, url, verified }];
  },
  [Environments.__pulumiType]: (name, args, opts) => {
    const environments = new Environments(name, clearedIn(`Environments "${name}"`, args) as never, opts);
    const { deployments, urls, serves, waiting } = environments;
    return [environments, { deployments, urls, serves, waiting }];
  },
};

// Pulumi may reject internal outputs that no caller can handle. A program exits with such an error. In the plugin, only
// the component in whose context the error occurs fails.
process.on("unhandledRejection", (error) => {
  const scope = pluginScope.getStore();
  if (!scope) throw error;
  scope.fail(error);
});

/**
 * Creates a component with its resources. Each construction has its own Pulumi settings, so that several components can
 * be constructed at the same time.
 * @throws the error of the component
 */
export function construct(
  request: messages.ConstructRequest,
  { engine, options, signal }: ConstructContext,
): Promise<messages.ConstructResponse> {
  const create = Object.hasOwn(components, request.getType()) ? components[request.getType()] : undefined;
  if (!create) throw invalid(`The provider has no component type ${request.getType()}.`);
  // Pulumi would drop these fields when it reads the arguments.
  const [lost] = lostNames(decode(request.getInputs()).values);
  if (lost) {
    const component = `${request.getType().split(":")[2]} "${request.getName()}"`;
    return Promise.reject(new Error(`${component}: ${lost.property} ${lost.reason}.`));
  }
  return new Promise((resolve, reject) => {
    // The engine does not wait for the components of a canceled update. If a component failed, the engine would display
    // its error in addition to the errors of its resources.
    const cancel = () => resolve(new proto.ConstructResponse());
    if (signal.aborted) return cancel();
    signal.addEventListener("abort", cancel);
    const redact = displayRedactor(secretsIn(request));
    const fail = (error: unknown) => reject(new Error(redact(messageOf(error))));
    const scope: PluginScope = { options, signal, fail };
    void runtime.withLocalStorage(() =>
      pluginScope
        .run(scope, async () => {
          await configure(request, engine);
          return responseOf(request, create);
        })
        .then(resolve, fail)
        .finally(() => signal.removeEventListener("abort", cancel)),
    );
  });
}

/**
 * Returns the message of an error without the names of the properties that Pulumi was serializing, because these names
 * are internal to the component.
 */
function messageOf(error: unknown): string {
  return asError(error).message.replace(/^(?:error serializing property "[^"]*": )+/, "");
}

/** Returns the secrets in the arguments of a component and in the configuration of the program. */
function secretsIn(request: messages.ConstructRequest): string[] {
  const config = request.getConfigMap();
  const values = request.getConfigsecretkeysList().map((key) => config.get(key) ?? "");
  return [
    ...secretTextsIn(decode(request.getInputs())),
    ...values.flatMap((value) => [value, ...stringsIn(value)]),
  ];
}

/** Returns the strings in a structured value of the configuration. Such a value is JSON. */
function stringsIn(value: string): string[] {
  try {
    return textsAt({ value: JSON.parse(value) as unknown }, "value");
  } catch {
    return [];
  }
}

/** Applies the settings and the configuration of the program. */
async function configure(request: messages.ConstructRequest, engine: string): Promise<void> {
  pulumi.runtime.resetOptions(
    request.getProject(),
    request.getStack(),
    request.getParallel(),
    engine,
    request.getMonitorendpoint(),
    request.getDryrun(),
    request.getOrganization(),
  );
  await runtime.awaitFeatureSupport();
  const config = Object.fromEntries(request.getConfigMap().entries() as unknown as [string, string][]);
  pulumi.runtime.setAllConfig(config, request.getConfigsecretkeysList());
}

async function responseOf(
  request: messages.ConstructRequest,
  create: Create,
): Promise<messages.ConstructResponse> {
  const [component, outputs] = create(request.getName(), inputsOf(request) as never, optionsOf(request));
  const label = `construct(${request.getType()}, ${request.getName()})`;
  const [state, dependencies] = await pulumi.runtime.serializeResourceProperties(label, outputs);
  const response = new proto.ConstructResponse()
    .setUrn(await runtime.urnOf(component))
    .setState(Struct.fromJavaScript(state));
  for (const [key, resources] of dependencies) {
    const urns = await Promise.all([...resources].map((resource) => runtime.urnOf(resource)));
    const list = new proto.ConstructResponse.PropertyDependencies().setUrnsList(urns);
    response.getStatedependenciesMap().set(key, list);
  }
  await runtime.initialized(component);
  await runtime.waitForRPCs();
  runtime.disconnect();
  return response;
}

/** Returns the inputs of the program. Values that are not outputs are converted to outputs with their dependencies. */
function inputsOf(request: messages.ConstructRequest): pulumi.Inputs {
  const { deserializeProperties, isRpcSecret, unwrapRpcSecret } = pulumi.runtime;
  const dependencies = request.getInputdependenciesMap();
  const inputs = Object.entries(deserializeProperties(request.getInputs() ?? new Struct()));
  return Object.fromEntries(
    inputs.map(([name, value]: [string, unknown]) => {
      const urns = dependencies.get(name)?.getUrnsList() ?? [];
      const isPlain = urns.length === 0 || holds(value, (part) => pulumi.Output.isInstance(part));
      if (isPlain && !isRpcSecret(value)) return [name, value];
      const resources = urns.map((urn) => new pulumi.DependencyResource(urn).urn);
      const output = pulumi.all([unwrapRpcSecret(value), ...resources]).apply(([known]: unknown[]) => known);
      return [name, isRpcSecret(value) ? pulumi.secret(output) : output];
    }),
  );
}

/**
 * Returns the arguments of `Environments` with `null` at the paths in `clear`, so that the arguments of an environment
 * override the common ones.
 * @param component name of the component in messages
 * @throws Error with the name of the argument
 */
function clearedIn(component: string, args: Props): Props {
  const clearable = clearablePaths(kinds.provider({}));
  const cleared = (path: string, given: Props) => {
    const { values, failures } = withCleared(given, clearable);
    if (failures.length > 0) throw new Error(`${component}: ${path}${failures[0]}.`);
    return values;
  };
  const { environments } = args;
  return {
    ...cleared("", args),
    ...(Array.isArray(environments) && {
      environments: environments.map((one: unknown, index) =>
        isGroup(one) ? cleared(`environments[${index}].`, one) : one,
      ),
    }),
  };
}

/**
 * Returns the resource options that the program specifies. Transforms are not included, because the engine applies
 * them.
 */
function optionsOf(request: messages.ConstructRequest): pulumi.ComponentResourceOptions {
  const dependency = (urn: string) => new pulumi.DependencyResource(urn);
  const [parent, deletedWith] = [request.getParent(), request.getDeletedwith()];
  const trigger = request.getReplacementTrigger();
  const timeouts = request.getCustomtimeouts();
  const providers = request.getProvidersMap().entries() as unknown as [string, string][];
  return {
    parent: parent === "" ? undefined : dependency(parent),
    dependsOn: request.getDependenciesList().map(dependency),
    providers: Object.fromEntries(
      [...providers].map(([name, reference]) => [name, new pulumi.DependencyProviderResource(reference)]),
    ),
    aliases: request.getAliasesList().map(aliasOf),
    protect: request.hasProtect() ? request.getProtect() : undefined,
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    replacementTrigger: trigger && (pulumi.runtime.deserializeProperty(trigger.toJavaScript()) as unknown),
    customTimeouts: {
      create: timeouts?.getCreate() || undefined,
      update: timeouts?.getUpdate() || undefined,
      delete: timeouts?.getDelete() || undefined,
    },
    retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
    deletedWith: deletedWith === "" ? undefined : dependency(deletedWith),
    replaceWith: request.getReplaceWithList().map(dependency),
    hooks: runtime.hookBindingFromProto(request.getResourceHooks()),
  };
}

type AliasMessage = ReturnType<messages.ConstructRequest["getAliasesList"]>[number];

function aliasOf(message: AliasMessage): string | pulumi.Alias {
  if (message.hasUrn()) return message.getUrn();
  const spec = message.getSpec()!;
  const given = (value: string) => value || undefined;
  const parent = spec.hasParenturn() ? { parent: spec.getParenturn() } : {};
  return {
    ...(given(spec.getName()) && { name: spec.getName() }),
    ...(given(spec.getType()) && { type: spec.getType() }),
    ...(given(spec.getProject()) && { project: spec.getProject() }),
    ...(given(spec.getStack()) && { stack: spec.getStack() }),
    ...(spec.getNoparent() ? { parent: pulumi.rootStackResource } : parent),
  };
}
