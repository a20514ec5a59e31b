import { interfaceTable } from "../../../../wire/dialects/interface";
import { langsmithTable } from "../../../../wire/dialects/langsmith";
import { resourceSpecKeys } from "../../../../wire/dialects/resource-spec-keys";
import type { Deployment } from "../data/types";
import { ConfigSecret, type Declaration, Inputs } from "./declaration";

type Fields = Record<string, unknown>;

/** String that replaces a secret in the responses of the web console's endpoints. */
const mask = "[masked]";

/** Returns the declaration of an existing deployment. `pulumi up` adopts the deployment unchanged. */
export function deploymentDeclaration(deployment: Deployment, dialect: string): Declaration {
  const { name, source, owner, agent } = deployment;
  const table = [langsmithTable, interfaceTable].find((one) => one.name === dialect) ?? interfaceTable;
  const rule = table.sourceRules[source] ?? table.sourceRules["*"]!;
  const isAllowed = (path: string) => !rule.forbidden.includes(path);
  const isFolder = source === "internal_source";
  const isOwned = owner !== undefined;
  return {
    kind: "Deployment",
    name,
    deployment: undefined,
    inputs: withSecrets(
      new Inputs({
        ...(agent?.agent_id
          ? { agent: new Inputs({ agentId: agent.agent_id, environment: agent.environment }) }
          : { name }),
        source,
        sourceConfig: sourceConfig(deployment, isAllowed),
        sourceRevisionConfig: revisionConfig(deployment, isAllowed, table.graphConfigField),
        secrets: environment(deployment.secrets),
        environmentVariables: environment(deployment.variables),
        ...settings(deployment),
        adopt: isOwned ? undefined : "always",
      }),
    ) as Inputs,
    notices: [
      isOwned
        ? `It is owned by ${owner}. To transfer it to another stack, set the adopt input to "always".`
        : "The first update adopts the existing deployment without changing it. After that, you can remove the adopt input.",
      ...(isFolder
        ? [
            'The control plane does not know which folder was uploaded. Replace "agent" with the path of the folder.',
          ]
        : []),
    ],
  };
}

function sourceConfig(deployment: Deployment, isAllowed: (path: string) => boolean): Inputs {
  const {
    custom_url: url,
    resource_spec: spec,
    listener_config: listener,
    ...others
  } = deployment.source_config;
  const names = [
    "integration_id",
    "repo_url",
    "deployment_type",
    "build_on_push",
    "install_command",
    "build_command",
    "listener_id",
    "template_id",
  ];
  const namespace = (listener as Fields | null | undefined)?.["k8s_namespace"];
  const given = names.flatMap((field) =>
    others[field] == null || !isAllowed(`source_config.${field}`) ? [] : [[camelCase(field), others[field]]],
  );
  return new Inputs({
    ...(Object.fromEntries(given) as Fields),
    // The control plane also reports a URL that it has assigned itself.
    customUrl: url != null && url !== deployment.url ? url : undefined,
    resourceSpec: spec == null ? undefined : resourceSpec(spec as Fields),
    listenerConfig: namespace == null ? undefined : new Inputs({ k8sNamespace: namespace }),
  });
}

function resourceSpec(spec: Fields): Fields {
  const given = Object.entries(spec).filter(([, value]) => value != null);
  return Object.fromEntries(
    given.map(([key, value]) => [resourceSpecKeys.includes(key) ? camelCase(key) : key, value]),
  );
}

function revisionConfig(
  { source, source_revision_config: config }: Deployment,
  isAllowed: (path: string) => boolean,
  graphConfigField: string,
): Inputs {
  const path = isAllowed(`source_revision_config.${graphConfigField}`) ? config.graph_config_path : undefined;
  return new Inputs({
    repoRef: config.repo_ref ?? undefined,
    graphConfigPath: path ?? undefined,
    imageUri: config.image_uri ?? undefined,
    folder: source === "internal_source" ? "agent" : undefined,
  });
}

/** Returns the settings that differ from those of a new deployment. */
function settings(deployment: Deployment): Fields {
  const {
    name,
    display_name: displayName,
    tracked_repo_ref: tracked,
    secret_references: references,
    shareable,
    route_through_gateway: isRouted,
    compute_tier: compute,
    database_tier: database,
    source_revision_config: { repo_ref: ref },
  } = deployment;
  const isSplit = compute != null && database != null && compute !== database;
  return {
    displayName: displayName != null && displayName !== name ? displayName : undefined,
    trackedRepoRef: tracked != null && tracked !== ref ? tracked : undefined,
    secretReferences:
      references == null || references.length === 0
        ? undefined
        : Object.fromEntries(
            references.map(({ name: variable, secret_name: secretName, secret_key: secretKey }) => [
              variable,
              new Inputs({ secretName, secretKey }),
            ]),
          ),
    shareable: shareable === true ? true : undefined,
    routeThroughGateway: isRouted === true ? true : undefined,
    ...(isSplit
      ? { computeTier: compute, databaseTier: database }
      : { deploymentTier: compute ?? undefined }),
  };
}

/** Returns the environment variables in alphabetical order, keyed by name; `undefined` if there are none. */
function environment(variables: { name: string; value: string }[]): Fields | undefined {
  if (variables.length === 0) return undefined;
  const sorted = variables.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return Object.fromEntries(sorted.map(({ name, value }) => [name, value]));
}

/** Replaces each string that contains a masked secret with a reference to the configuration. */
function withSecrets(value: unknown, name = ""): unknown {
  if (typeof value === "string") return value.includes(mask) ? new ConfigSecret(name) : value;
  if (Array.isArray(value)) return value.map((item) => withSecrets(item, name));
  if (value instanceof Inputs) return new Inputs(withSecrets(value.values) as Fields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withSecrets(item, key)]));
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
