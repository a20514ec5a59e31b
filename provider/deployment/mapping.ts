import type { Dialect } from "../control-plane/dialects";
import type {
  CreateDeploymentBody,
  PatchDeploymentBody,
  WireSourceConfig,
  WireSourceRevisionConfig,
} from "../../wire";
import { environmentToWire } from "./environment";
import type { Variables } from "./inputs/environment";
import type { DeploymentInputs, SourceConfigInputs, SourceRevisionConfigInputs } from "./inputs/inputs";
import type { Uploaded } from "./source/upload";
import { resourceSpecFromWire, resourceSpecToWire } from "./inputs/resource-spec";
import {
  allSettings,
  isCreatedWith,
  patchOf,
  settingsIn,
  type SettingInputs,
  settingsToWire,
} from "./inputs/settings";
import { at } from "../resource/inputs/values";

/** Parts of one PATCH of a deployment, with the user's field names. At least one part is set. */
export interface DeploymentPatch {
  /** Changed fields of `sourceConfig`. */
  sourceConfig?: SourceConfigInputs;
  /** All managed fields of `sourceRevisionConfig`, set only if the change requires a new revision with this source. */
  sourceRevisionConfig?: SourceRevisionConfigInputs;
  /** Changed settings that the PATCH of the deployment accepts. */
  settings?: SettingInputs;
  /**
   * Set if the environment is sent, together with the ownership tag. The environment is always sent as a whole, so all
   * of its variables are collected immediately before the request. If the server does not report all of them,
   * `"required"` causes an error, and `"if possible"` omits the environment.
   */
  environment?: "required" | "if possible";
}

/** Names of the fields of `sourceConfig` in the API, keyed by the user's names. */
export const sourceConfigNames = {
  integrationId: "integration_id",
  repoUrl: "repo_url",
  deploymentType: "deployment_type",
  buildOnPush: "build_on_push",
  customUrl: "custom_url",
  resourceSpec: "resource_spec",
  installCommand: "install_command",
  buildCommand: "build_command",
  listenerId: "listener_id",
  listenerConfig: "listener_config",
  templateId: "template_id",
} as const satisfies Record<keyof SourceConfigInputs, keyof WireSourceConfig>;

const sourceRevisionConfigNames = {
  repoRef: "repo_ref",
  graphConfigPath: "graph_config_path",
  imageUri: "image_uri",
} as const satisfies Record<
  Exclude<keyof SourceRevisionConfigInputs, "folder" | "dependencyFolders" | "contentHash">,
  keyof WireSourceRevisionConfig
>;

/** Returns the body of `POST /v2/deployments`, with the ownership tag among the secrets. */
export function toCreateBody(inputs: DeploymentInputs, tag: string, dialect: Dialect): CreateDeploymentBody {
  return {
    ...(inputs.agent
      ? { agent: { agent_id: inputs.agent.agentId, environment: inputs.agent.environment } }
      : { name: inputs.name }),
    source: inputs.source,
    source_config: toWireSourceConfig(inputs.sourceConfig),
    source_revision_config: toWireRevisionConfig(inputs.sourceRevisionConfig, dialect),
    secrets: environmentToWire({ ...inputs.secrets, ...inputs.environmentVariables }, tag),
    ...settingsToWire(settingsIn(inputs, (setting) => isCreatedWith(setting, dialect))),
  };
}

/** Returns the body of `PATCH /v2/deployments/{deployment_id}`, which contains only the changes of the plan. */
export function toPatchBody(
  patch: DeploymentPatch,
  dialect: Dialect,
  { environment, tag = "", uploaded }: { environment?: Variables; tag?: string; uploaded?: Uploaded } = {},
): PatchDeploymentBody {
  return {
    ...(patch.sourceConfig && { source_config: toWireSourceConfig(patch.sourceConfig) }),
    ...(patch.sourceRevisionConfig && {
      source_revision_config: {
        ...toWireRevisionConfig(patch.sourceRevisionConfig, dialect),
        ...(uploaded && {
          source_tarball_path: uploaded.objectPath,
          [dialect.table.graphConfigField]: uploaded.configPath,
        }),
      },
      ...(uploaded && { revision_source: "internal_source" }),
    }),
    ...(environment && { secrets: environmentToWire(environment, tag) }),
    ...settingsToWire(patch.settings ?? {}),
  };
}

/** Returns the source in a record, with the user's field names. Omits fields that the server does not report. */
export function fromWireSourceConfig(wire: WireSourceConfig | null | undefined): SourceConfigInputs {
  const config = renameBack(wire, sourceConfigNames) as SourceConfigInputs;
  if (config.resourceSpec) config.resourceSpec = resourceSpecFromWire(config.resourceSpec);
  const namespace = wire?.listener_config?.["k8s_namespace"];
  if (typeof namespace === "string") config.listenerConfig = { k8sNamespace: namespace };
  else delete config.listenerConfig;
  return config;
}

/** Returns the source of a revision with the user's field names, for any dialect. */
export function fromWireSourceRevisionConfig(
  wire: WireSourceRevisionConfig | null | undefined,
): SourceRevisionConfigInputs {
  const path = wire?.graph_config_path ?? wire?.langgraph_config_path;
  return renameBack({ ...wire, graph_config_path: path }, sourceRevisionConfigNames);
}

/** Returns the paths of inputs that servers of this dialect do not support and would ignore. */
export function unsupportedFields(dialect: Dialect): string[] {
  const known: readonly string[] = dialect.table.fields.sourceConfig;
  const ofSource = Object.entries(sourceConfigNames).filter(([, name]) => !known.includes(name));
  const settings = allSettings.filter((one) => !isCreatedWith(one, dialect) && !patchOf(one, dialect));
  const agent = dialect.table.fields.create.includes("agent") ? [] : ["agent"];
  const uploads = dialect.table.fields.sourceRevisionConfig.includes("source_tarball_path");
  const folder = uploads ? [] : ["sourceRevisionConfig.folder", "sourceRevisionConfig.dependencyFolders"];
  return [...agent, ...folder, ...ofSource.map(([field]) => `sourceConfig.${field}`), ...settings];
}

/** Returns the paths of inputs that the program specifies but servers of this dialect would ignore. */
export function unknownFields(inputs: DeploymentInputs, dialect: Dialect): string[] {
  return unsupportedFields(dialect).filter((path) => at(inputs, path) != null);
}

/**
 * Converts the path of a field in the API to the user's path, such as `source_config.repo_url` to
 * `sourceConfig.repoUrl`.
 */
export function userPath(wirePath: string): string {
  const path = wirePath.replace("langgraph_config_path", "graph_config_path");
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Converts the source of a revision to the format of the API. Omits local values, such as a folder, that are not part
 * of requests.
 */
function toWireRevisionConfig(
  config: SourceRevisionConfigInputs,
  dialect: Dialect,
): WireSourceRevisionConfig {
  const { folder: _folder, dependencyFolders: _dependencies, contentHash: _hash, ...others } = config;
  return rename(others, revisionNamesIn(dialect));
}

function revisionNamesIn({ table }: Dialect): Record<string, string> {
  return { ...sourceRevisionConfigNames, graphConfigPath: table.graphConfigField };
}

function toWireSourceConfig(config: SourceConfigInputs): WireSourceConfig {
  const wire: WireSourceConfig = rename(config, sourceConfigNames);
  if (wire.resource_spec) wire.resource_spec = resourceSpecToWire(wire.resource_spec);
  if (config.listenerConfig) wire.listener_config = { k8s_namespace: config.listenerConfig.k8sNamespace };
  return wire;
}

function rename(from: object, names: Record<string, string>): Record<string, unknown> {
  const given = Object.entries(from).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [names[key] ?? key, value]));
}

function renameBack(wire: object | null | undefined, names: Record<string, string>): Record<string, unknown> {
  const from = (wire ?? {}) as Record<string, unknown>;
  const given = Object.entries(names).filter(([, name]) => from[name] !== undefined && from[name] !== null);
  return Object.fromEntries(given.map(([key, name]) => [key, from[name]]));
}
