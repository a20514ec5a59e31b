import type { DialectName } from "../../wire";

/** Source for which the run creates a deployment. */
export type SourceName = "github" | "external_docker" | "internal_source" | "internal_docker";

/** Sources whose deployments are rolled out. For `internal_docker`, an image would have to be pushed first. */
export const rolledOutSources = ["github", "external_docker", "internal_source"] as const;

/** Values on the command line that determine the throwaway deployments. */
export interface SourceSettings {
  /** URL of a GitHub repository, with its branch or tag and the path of the graph configuration. */
  repository?: string;
  ref: string;
  config: string;
  /** ID of the GitHub integration for the repository. */
  integration?: string;
  /** Folder with a graph configuration to upload. */
  folder?: string;
  /** Container image of an agent server. */
  image?: string;
  listener?: string;
  namespace?: string;
  deploymentType: string;
  /** True to test the `internal_docker` source, which exists only in the cloud. The test does not require an image. */
  pushedImage?: boolean;
}

/**
 * Returns the sources for which the settings are sufficient. Uploads and pushed images exist only on the public
 * service.
 */
export function availableSources(settings: SourceSettings, dialect: DialectName): SourceName[] {
  const { repository, image, folder, pushedImage } = settings;
  return [
    ...(repository === undefined ? [] : ["github" as const]),
    ...(image === undefined ? [] : ["external_docker" as const]),
    ...(folder === undefined || dialect === "interface" ? [] : ["internal_source" as const]),
    ...(pushedImage && dialect === "langsmith" ? ["internal_docker" as const] : []),
  ];
}

/** Returns the body of the request that creates a deployment. */
export function creationBody(
  source: SourceName,
  { name, secret, dialect }: { name: string; secret: string; dialect: DialectName },
  settings: SourceSettings,
): Record<string, unknown> {
  const { repository, ref, config, integration, image, listener, namespace, deploymentType } = settings;
  const configField = dialect === "langsmith" ? "langgraph_config_path" : "graph_config_path";
  const common = { name, source, secrets: [{ name: secretName, value: secret }] };
  switch (source) {
    case "github":
      return {
        ...common,
        source_config: {
          repo_url: repository,
          deployment_type: deploymentType,
          build_on_push: false,
          ...(integration !== undefined && { integration_id: integration }),
        },
        source_revision_config: { repo_ref: ref, [configField]: config },
      };
    case "external_docker":
      return {
        ...common,
        source_config: {
          resource_spec: {},
          ...(listener !== undefined && { listener_id: listener }),
          ...(namespace !== undefined && { listener_config: { k8s_namespace: namespace } }),
        },
        source_revision_config: { image_uri: image },
      };
    case "internal_source":
    case "internal_docker":
      return { ...common, source_config: { deployment_type: deploymentType }, source_revision_config: {} };
  }
}

/** Name of the secret in every throwaway deployment. */
export const secretName = "CONFORMANCE_SECRET";

/** Returns the sentences that the user has to confirm. */
export function announcement(sources: readonly SourceName[], baseUrl: string, dialect: DialectName): string {
  const rollouts = rolledOutSources.filter((source) => sources.includes(source));
  return [
    `This creates deployments on ${baseUrl}:`,
    ...sources.map((source) => `  - one with the source ${source}`),
    ...(dialect === "langsmith"
      ? [
          "  - a deployment without a revision, which is identified by an agent, and a tracing project for each one",
        ]
      : []),
    `It starts about ${rollouts.length * 12} rollouts. Each deployment exists for up to an hour and may be billed as a
running deployment, including builds, compute time, and a database. Assistants, threads, crons, and store items are
created on the agent servers, but agents are not run, so no model is called.
All deployments are deleted at the end, and after Ctrl-C. Their names start with "as-conf-".`,
  ].join("\n");
}
