import * as pulumi from "@pulumi/pulumi";
import type { DeploymentRecord } from "../wire";
import type * as LookUp from "../provider/deployment/look-up";

/** Which deployment to look up: exactly one of the two. */
export interface GetDeploymentArgs {
  /** The deployment's id. */
  id?: string;
  /** The deployment's exact name. */
  name?: string;
}

/** What the control plane knows about a deployment; secret values stay there. */
export interface GetDeploymentResult {
  id: string;
  name: string;
  source?: string;
  /** Address of the agent server, once there is one. */
  url?: string;
  /** State of the deployment itself, for example `READY`; says nothing about its revisions. */
  status?: string;
  latestRevisionId?: string;
  activeRevisionId?: string;
  repoUrl?: string;
  repoRef?: string;
  graphConfigPath?: string;
  imageUri?: string;
  /** Names of the deployment's secrets. */
  secretNames: string[];
}

/**
 * Looks a deployment up (`GET /v2/deployments/{deployment_id}`, or the list for a name), with the connection of
 * the `agentserver` configuration. Fails when there is none, or the name and id are both or neither given.
 */
export async function getDeployment(args: GetDeploymentArgs): Promise<GetDeploymentResult> {
  if ((args.id === undefined) === (args.name === undefined))
    throw new Error("getDeployment needs either an id or a name.");
  // Loaded here, so that programs which only declare resources start without the HTTP client.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { lookUpDeployment } = require("../provider/deployment/look-up") as typeof LookUp;
  const config = new pulumi.Config("agentserver");
  return describe(await lookUpDeployment((key) => config.get(key), process.env, args));
}

/** Like `getDeployment`, for arguments that are known only later. */
export function getDeploymentOutput(args: {
  id?: pulumi.Input<string>;
  name?: pulumi.Input<string>;
}): pulumi.Output<GetDeploymentResult> {
  return pulumi.output(args).apply((known) => getDeployment(known));
}

function describe(record: DeploymentRecord): GetDeploymentResult {
  const { source_config: source, source_revision_config: revision } = record;
  return {
    id: record.id,
    name: record.name ?? "",
    source: record.source ?? undefined,
    url: record.url ?? source?.custom_url ?? undefined,
    status: record.status ?? undefined,
    latestRevisionId: record.latest_revision_id ?? undefined,
    activeRevisionId: record.active_revision_id ?? undefined,
    repoUrl: source?.repo_url ?? undefined,
    repoRef: revision?.repo_ref ?? undefined,
    graphConfigPath: revision?.graph_config_path ?? revision?.langgraph_config_path ?? undefined,
    imageUri: revision?.image_uri ?? undefined,
    secretNames: (record.secrets ?? [])
      .map(({ name }) => name)
      .filter((name) => name !== "AGENTSERVER_OWNER"),
  };
}
