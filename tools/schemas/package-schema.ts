import { join } from "node:path";
import { z } from "zod";
import { assistantState } from "../../provider/assistant/state";
import { cronState } from "../../provider/cron/state";
import { deploymentOutputs } from "../../provider/deployment/state";
import { type KindName, kinds } from "../../provider/kinds";
import { clearablePaths } from "../../provider/hosts/plugin/cleared";
import { listenerState } from "../../provider/listener/state";
import { gateInputs } from "../../provider/promotion/gate";
import { type FunctionName, functionShapes, secretResults } from "../../provider/lookup/functions";
import { runState } from "../../provider/run/state";
import { storeItemState } from "../../provider/store-item/state";
import { storeItemsState } from "../../provider/store-items/state";
import { threadState } from "../../provider/thread/state";
import { oldestSdk } from "../../cli/supported-versions";
import { version } from "../../package.json";
import { repositoryRoot } from "../repository";
import { declarationComment, type FieldComment, fieldComments, requiredOutputs } from "./doc-comments";
import { configurationVariables } from "./package-settings";
import { type ObjectSpec, type PropertySpec, PackageTypes } from "./package-types";
import type { JsonSchema } from "./manifest-schema";

/** Path of the schema of the provider plugin, from which its SDKs are generated. */
export const packageSchemaPath = "schemas/agentserver.json";

/**
 * URL of the repository, which is used in the schema, in the SDKs, and in a dry run of a release. A release fails if it
 * runs in another repository.
 */
export const repository = "https://github.com/pulumi-agentserver/pulumi-agentserver";

/** Schema of a Pulumi package. */
export interface PackageSchema {
  types: Record<string, ObjectSpec | EnumSpec>;
  resources: Record<string, ResourceSpec>;
  functions: Record<string, FunctionSpec>;
  config: { variables: Record<string, PropertySpec> };
  provider: ResourceSpec;
  [word: string]: unknown;
}

/** A string type with known values in the package schema. */
interface EnumSpec {
  type: string;
  enum: { value: string; name: string }[];
}

/** A resource or component in the package schema. */
interface ResourceSpec extends ObjectSpec {
  inputProperties: Record<string, PropertySpec>;
  requiredInputs?: string[];
  [word: string]: unknown;
}

/** A function in the package schema. */
interface FunctionSpec {
  description: string;
  inputs: ObjectSpec;
  outputs: ObjectSpec;
}

type Fields = Record<string, JsonSchema>;
type Comments = Map<string, FieldComment>;

const inSdk = (...path: string[]) => join(repositoryRoot, "sdk", ...path);

const otherControlPlaneFile = inSdk("other-control-plane.ts");

/** Resource of the SDK, with the files that describe it. */
interface ResourceSource {
  kind: KindName;
  outputs: z.ZodObject;
  /** File that declares the class of the resource. */
  file: string;
  /** Other files that contain arguments and outputs of the resource. */
  others: string[];
  /** Names of the interfaces that declare the arguments of the resource. */
  args: string[];
}

const ofAgentServer = {
  others: [
    otherControlPlaneFile,
    inSdk("agent-server", "server-args.ts"),
    inSdk("agent-server", "resource.ts"),
  ],
};

/** Returns the source of a resource on an agent server. */
function inside(kind: KindName, className: string, file: string, outputs: z.ZodObject): ResourceSource {
  const args = ["ServerArgs", `${className}Args`];
  return { kind, outputs, file: inSdk("agent-server", file), args, ...ofAgentServer };
}

const resourceSources: Record<string, ResourceSource> = {
  Deployment: {
    kind: "provider",
    outputs: deploymentOutputs,
    file: inSdk("deployment.ts"),
    others: [otherControlPlaneFile, inSdk("deployment-args.ts"), inSdk("deployment-outputs.ts")],
    args: ["NamedArgs", "AgentDeploymentArgs", "DeploymentSettings"],
  },
  Listener: {
    kind: "listener",
    outputs: listenerState.schema,
    file: inSdk("listener.ts"),
    others: [],
    args: ["ListenerArgs"],
  },
  Assistant: inside("assistant", "Assistant", "assistant.ts", assistantState.schema),
  Cron: inside("cron", "Cron", "cron.ts", cronState.schema),
  Run: inside("run", "Run", "run.ts", runState.schema),
  StoreItem: inside("storeItem", "StoreItem", "store-item.ts", storeItemState.schema),
  StoreItems: inside("storeItems", "StoreItems", "store-items.ts", storeItemsState.schema),
  Thread: inside("thread", "Thread", "thread.ts", threadState.schema),
};

/** Inputs that the provider computes. */
const computedInputs = ["itemHashes", "contentHash"];

/** Files that contain result types of functions, in addition to the function's own file. */
const functionFiles = [
  otherControlPlaneFile,
  inSdk("functions", "lookup-server.ts"),
  inSdk("functions", "results.ts"),
  inSdk("deployment-args.ts"),
  inSdk("deployment-outputs.ts"),
];

/** Returns the schema of the package without examples. */
export function packageSchema(): PackageSchema {
  const types = new PackageTypes(Object.keys(resourceSources));
  const resources = Object.entries(resourceSources).map(([name, source]) => [
    name,
    resource(types, name, source),
  ]);
  const components = Object.entries(componentsIn(types));
  const functions = Object.keys(functionShapes).map((name) => [name, lookup(types, name as FunctionName)]);
  const variables = configurationVariables(types);
  return withClear({
    $schema: "https://raw.githubusercontent.com/pulumi/pulumi/master/pkg/codegen/schema/pulumi.json",
    name: "agentserver",
    displayName: "Agent Server",
    version,
    description: "Deployments of agent servers, and their assistants, crons, threads, and store items.",
    keywords: ["category/cloud", "kind/native", "agent server", "deployment"],
    license: "Apache-2.0",
    publisher: "pulumi-agentserver",
    homepage: repository,
    repository,
    logoUrl:
      "https://raw.githubusercontent.com/pulumi-agentserver/pulumi-agentserver/main/docs/images/logo.svg",
    pluginDownloadURL: repository.replace("https://github.com/", "github://api.github.com/"),
    meta: { supportPack: true },
    language: languages,
    config: { variables },
    provider: {
      description:
        "Connection to a control plane. Omitted settings are read from the environment of the provider.",
      inputProperties: variables,
      properties: {},
      required: [],
    },
    types: types.all(),
    resources: withTokens([...resources, ...components]) as PackageSchema["resources"],
    functions: withTokens(functions) as PackageSchema["functions"],
  });
}

/**
 * Returns the schema with descriptions that refer to the `clear` input instead of `null`. The doc comments describe the
 * SDK in TypeScript, in which both exist.
 */
function withClear(schema: PackageSchema): PackageSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "description" && typeof value === "string"
      ? value.replace("`null` clears", "`clear` resets").replace("`null` removes", "`clear` removes")
      : value,
  ) as PackageSchema;
}

const languages = {
  python: {
    packageName: "pulumi_agentserver",
    pyproject: { enabled: true },
    requires: { pulumi: `>=${oldestSdk},<4.0.0` },
    inputTypes: "classes-and-dicts",
    respectSchemaVersion: true,
  },
  // This package is separate from the `pulumi-agentserver` package, because programs with the dynamic provider must not
  // install the plugin.
  nodejs: {
    packageName: "pulumi-agentserver-plugin",
    dependencies: { "@pulumi/pulumi": `^${oldestSdk}` },
    respectSchemaVersion: true,
  },
  go: {
    importBasePath: "github.com/pulumi-agentserver/pulumi-agentserver/sdk/go/agentserver",
    // Components have maps of resources.
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: { respectSchemaVersion: true },
};

function withTokens(members: unknown[][]): object {
  return Object.fromEntries(members.map(([name, spec]) => [`agentserver:index:${name as string}`, spec]));
}

function resource(
  types: PackageTypes,
  name: string,
  { kind: kindName, outputs, file, others, args }: ResourceSource,
): ResourceSpec {
  const kind = kinds[kindName]({});
  const inputComments = fieldComments([...others, file], ...args);
  const outputComments = fieldComments([...others, file], "AgentServerResource", name);
  const inputs = withoutComputed(jsonSchema(kind.inputs));
  const input = types.objectOf(inputs, inputComments, name);
  const declared = jsonSchema(outputs);
  // The SDK declares all outputs except those that only the provider uses.
  const isPublic = (output: string) => outputComments.has(output) && !(output in input.properties);
  const computed = jsonSchema(kind.inputs).properties!;
  const own = types.objectOf(
    {
      properties: Object.fromEntries(
        Object.entries({ ...declared.properties, ...pick(computed, computedInputs) }).filter(([key]) =>
          isPublic(key),
        ),
      ),
      required: declared.required,
    },
    outputComments,
    name,
  );
  const properties = { ...input.properties, ...own.properties };
  const required = [...input.required, ...own.required, ...requiredOutputs(file, name)];
  return {
    description: declarationComment(file, name)!,
    properties,
    required: Object.keys(properties).filter((key) => required.includes(key)),
    inputProperties: {
      ...asInputs(input.properties, kind.secretMaps ?? []),
      ...clearInput(clearablePaths(kind)),
    },
    requiredInputs: input.required,
    aliases: [{ type: `pulumi-nodejs:dynamic/agentserver:${name}` }],
  };
}

/**
 * Returns the `clear` input, which sets other inputs to `null`. It is required because the SDKs of most languages omit
 * null values.
 */
function clearInput(paths: readonly string[]): Record<string, PropertySpec> {
  if (paths.length === 0) return {};
  const names = paths.map((path) => `\`${path}\``).join(", ");
  const description = `Paths of inputs to set to \`null\`, so that the server uses its defaults. An input in this list must not have a value. Possible paths: ${names}.`;
  return { clear: { type: "array", items: { type: "string" }, description } };
}

/**
 * Marks secrets and replacements. Secret maps are secret only as inputs: the provider marks each entry of the outputs
 * instead, so that previews and diffs show the names.
 */
function asInputs(
  properties: Record<string, PropertySpec>,
  secretMaps: readonly string[],
): Record<string, PropertySpec> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      {
        ...property,
        ...(secretMaps.includes(name) && { secret: true }),
        ...(isReplacing(property) && { willReplaceOnChanges: true }),
      },
    ]),
  );
}

/** True if the description states that any change replaces the resource. */
function isReplacing({ description }: PropertySpec): boolean {
  return /(^|[.;] )(A change|Changing (it|them)) replaces the /i.test(description);
}

function lookup(types: PackageTypes, name: FunctionName): FunctionSpec {
  const { inputs, outputs } = functionShapes[name];
  const file = inSdk("functions", `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`);
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const comments = (...names: string[]) => fieldComments([...functionFiles, file], ...names);
  const result = resultOf[name] ?? `${title}Result`;
  const results = comments(result);
  const item = itemNames[name];
  if (item !== undefined) {
    const [list = ""] = Object.keys(outputs.shape);
    const text = [...functionFiles, file].map((one) => declarationComment(one, result)).find(Boolean)!;
    for (const [path, comment] of prefixed(results, list)) results.set(path, comment);
    results.set(list, { text, type: { name: item, text } });
  }
  const spec = types.objectOf(jsonSchema(outputs), results, `${title}Result`);
  const secret = secretResults[name];
  if (secret) spec.properties[secret]!.secret = true;
  return {
    description: declarationComment(file, name)!,
    inputs: types.objectOf(jsonSchema(inputs), comments("LookUpServer", `${title}Args`), title),
    outputs: spec,
  };
}

/** Names for the types of list items, because generated SDKs use the names of the results for other types. */
const itemNames: Partial<Record<FunctionName, string>> = {
  getAssistants: "AssistantSummary",
  getDeployments: "DeploymentSummary",
  getListeners: "ListenerSummary",
  getRevisions: "RevisionSummary",
  searchThreads: "ThreadSummary",
};

/** Declarations of results that are named after another function. */
const resultOf: Partial<Record<FunctionName, string>> = {
  getAssistants: "GetAssistantResult",
  getDeployments: "DeploymentSummary",
};

/** Returns the components. Their inputs consist of the inputs of the resources. */
function componentsIn(types: PackageTypes): Record<string, ResourceSpec> {
  const inputsOf = (kind: KindName): JsonSchema => {
    const placed = kinds[kind]({});
    const inputs = withoutComputed(jsonSchema(placed.inputs));
    return {
      ...inputs,
      properties: { ...inputs.properties, ...clearInput(clearablePaths(placed)) } as Fields,
    };
  };
  const commentsOf = (name: string) => {
    const { file, others, args } = resourceSources[name]!;
    return fieldComments([...others, file], ...args);
  };
  const membersOf = (kind: KindName) => ({
    type: "object",
    additionalProperties: without(inputsOf(kind), "deployment", "connection"),
    plain: true,
  });
  const deployment = inputsOf("provider");
  const environmentFiles = [
    otherControlPlaneFile,
    inSdk("deployment-args.ts"),
    inSdk("functions", "promote.ts"),
    inSdk("components", "environments-args.ts"),
  ];
  const settings = fieldComments(environmentFiles, "DeploymentSettings");
  const serviceFile = inSdk("components", "agent-service-args.ts");
  const contents = {
    assistants: membersOf("assistant"),
    crons: membersOf("cron"),
    memory: membersOf("storeItems"),
  };
  const service = { ...deployment, properties: { ...deployment.properties, ...contents } };
  const contentsComments = new Map([
    ...fieldComments(serviceFile, "ServiceContents"),
    ...prefixed(commentsOf("Assistant"), "assistants"),
    ...prefixed(commentsOf("Cron"), "crons"),
    ...prefixed(commentsOf("StoreItems"), "memory"),
  ]);
  const serviceComments = new Map([...commentsOf("Deployment"), ...contentsComments]);
  const common = without(deployment, "agent");
  const text = { type: "string" };
  const plainText = { ...text, plain: true };
  const environment = { ...without(common, "source", "sourceRevisionConfig"), required: ["environment"] };
  const environments = {
    ...common,
    properties: {
      ...common.properties,
      ...contents,
      name: plainText,
      source: { ...common.properties!["source"], plain: true },
      sourceConfig: { ...common.properties!["sourceConfig"], plain: true },
      connection: { ...common.properties!["connection"], plain: true },
      sourceRevisionConfig: {
        ...without(common.properties!["sourceRevisionConfig"]!, "dependencyFolders"),
        plain: true,
      },
      environments: {
        type: "array",
        items: {
          ...environment,
          properties: {
            ...environment.properties,
            ...contents,
            environment: plainText,
            name: plainText,
            sourceConfig: { ...common.properties!["sourceConfig"], plain: true },
            connection: { ...common.properties!["connection"], plain: true },
            gate: { ...jsonSchema(gateInputs), plain: true },
          },
        },
        plain: true,
      },
    },
    required: [...common.required!, "name", "environments"],
  };
  const environmentsComments = new Map([
    ...settings,
    ...contentsComments,
    ...fieldComments(environmentFiles, "EnvironmentsArgs"),
    ...prefixed(
      new Map([
        ...settings,
        ...contentsComments,
        ...fieldComments(environmentFiles, "EnvironmentArgs"),
        ...prefixed(fieldComments(environmentFiles, "PromotionGate"), "gate"),
      ]),
      "environments",
    ),
  ]);
  const workspace = {
    properties: {
      manifests: plainText,
      overlays: plainText,
      environmentVariables: { type: "array", items: plainText, plain: true },
      connectionKeys: { type: "array", items: plainText, plain: true },
      allowEmpty: { type: "boolean", plain: true },
    },
    required: ["manifests"],
  };
  const urls = { type: "object", additionalProperties: text };
  const resourceOf = (name: string) => ({ $ref: `#/resources/agentserver:index:${name}` });
  const resourcesOf = (name: string) => ({ type: "object", additionalProperties: resourceOf(name) });
  return {
    Workspace: component(
      types,
      "Workspace",
      inSdk("workspace.ts"),
      workspace,
      fieldComments(inSdk("workspace-args.ts"), "WorkspaceArgs"),
      {
        deployments: resourcesOf("Deployment"),
        assistants: resourcesOf("Assistant"),
        crons: resourcesOf("Cron"),
        urls,
      },
    ),
    AgentService: component(
      types,
      "AgentService",
      inSdk("components", "agent-service.ts"),
      service,
      serviceComments,
      {
        deployment: resourceOf("Deployment"),
        deploymentId: { ...text, description: "ID of the deployment." },
        assistants: resourcesOf("Assistant"),
        crons: resourcesOf("Cron"),
        memory: resourcesOf("StoreItems"),
        url: text,
        verified: jsonSchema(deploymentOutputs).properties!["verified"]!,
      },
    ),
    Environments: component(
      types,
      "Environments",
      inSdk("components", "environments.ts"),
      environments,
      environmentsComments,
      { deployments: resourcesOf("Deployment"), urls, serves: urls, waiting: urls },
    ),
  };
}

function component(
  types: PackageTypes,
  name: string,
  file: string,
  inputs: JsonSchema,
  comments: Comments,
  outputs: Record<string, JsonSchema>,
): ResourceSpec {
  const { properties, required } = types.objectOf(inputs, comments, name);
  const inputProperties = Object.entries(properties).map(([key, property]) => [
    key,
    { ...property, ...(key === "secrets" && { secret: true }) },
  ]);
  const result = types.objectOf(
    { properties: outputs, required: Object.keys(outputs).filter((key) => key !== "url") },
    fieldComments([inSdk("deployment-outputs.ts"), file], name),
    name,
  );
  return {
    isComponent: true,
    description: declarationComment(file, name)!,
    inputProperties: Object.fromEntries(inputProperties) as Record<string, PropertySpec>,
    requiredInputs: required,
    properties: result.properties,
    required: result.required,
  };
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: "draft-7", io: "output", unrepresentable: "any" }) as JsonSchema;
}

function withoutComputed(schema: JsonSchema): JsonSchema {
  const fields = Object.entries(without(schema, ...computedInputs).properties!);
  return {
    ...schema,
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, field.properties ? without(field, ...computedInputs) : field]),
    ),
  };
}

function without(schema: JsonSchema, ...names: string[]): JsonSchema {
  const fields = Object.entries(schema.properties!).filter(([name]) => !names.includes(name));
  return {
    ...schema,
    properties: Object.fromEntries(fields),
    required: schema.required?.filter((name) => !names.includes(name)),
  };
}

function pick(fields: Fields, names: string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function prefixed(comments: Comments, name: string): Comments {
  return new Map([...comments].map(([path, comment]) => [`${name}.${path}`, comment]));
}
