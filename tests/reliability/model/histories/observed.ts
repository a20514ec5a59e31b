import { fakeCommit } from "../../../../emulator/rollout/simulated";
import type { DeploymentRecord, RevisionRecord } from "../../../../wire";
import type { World } from "../../../provider/world";
import { ask } from "../world/plane-view";
import { repositoryUrl } from "./declaration";

/** A deployment on the control plane, regardless of what it reports to clients. */
export interface Observed {
  id: string;
  /** Name of the deployment, or environment of its agent. */
  identity: string;
  /** Values of fields, keyed by path, such as `ref`, `spec.cpu`, or `env.KEY`. */
  fields: Record<string, unknown>;
  /** The ownership tag. */
  tag: string | undefined;
  revisions: { id: string; status: string }[];
}

/** Returns all deployments that are not being deleted. */
export async function observe(world: World): Promise<Observed[]> {
  const { resources } = (await ask(world, "GET", "/v2/deployments?limit=100")) as {
    resources: DeploymentRecord[];
  };
  const live = resources.filter(({ status }) => !status?.startsWith("AWAITING_DELETE"));
  return Promise.all(
    live.map(async (record) => {
      const path = `/v2/deployments/${record.id}/revisions?limit=100`;
      const { resources: revisions } = (await ask(world, "GET", path)) as { resources: RevisionRecord[] };
      return observedFrom(record, revisions);
    }),
  );
}

function observedFrom(record: DeploymentRecord, revisions: RevisionRecord[]): Observed {
  const { source_config: config, source_revision_config: source, secrets, agent } = record;
  const all = Object.fromEntries((secrets ?? []).map(({ name, value }) => [name, value!]));
  const { AGENTSERVER_OWNER: tag, ...environment } = all;
  return {
    id: record.id,
    identity: agent ? `agent ${agent.environment}` : record.name!,
    tag,
    revisions: revisions.map(({ id, status }) => ({ id, status })),
    fields: {
      source: record.source,
      deploymentType: config?.deployment_type,
      repository: config?.repo_url,
      buildOnPush: config?.build_on_push,
      displayName: record.display_name,
      compute: record.compute_tier,
      database: record.database_tier,
      ref: refOf(source?.repo_ref),
      path: source?.graph_config_path ?? source?.langgraph_config_path,
      // The server determines the image of a repository.
      ...(record.source === "external_docker" && { image: source?.image_uri }),
      upload: source?.source_tarball_path,
      ...prefixed("spec", config?.resource_spec ?? {}),
      ...prefixed("env", environment),
      ...prefixed(
        "reference",
        Object.fromEntries((record.secret_references ?? []).map((one) => [one.name, one.secret_name])),
      ),
    },
  };
}

function prefixed(group: string, values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${group}.${key}`, value]));
}

function refOf(ref: string | null | undefined): string | null | undefined {
  return ref == null ? ref : (refs.get(ref) ?? ref);
}

/** Refs, keyed by the commits that the control plane resolves them to. */
const refs = new Map(
  ["a", "b"].flatMap((repository) =>
    ["v1", "v2", "theirs"].map((ref) => {
      const sourceConfig = { repo_url: repositoryUrl(repository) };
      return [fakeCommit({ sourceConfig, sourceRevisionConfig: { repo_ref: ref } } as never)!, ref];
    }),
  ),
);
