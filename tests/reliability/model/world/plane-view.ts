import { fakeCommit } from "../../../../emulator/rollout/simulated";
import { type DeploymentRecord, type RevisionRecord, ownerSecretName } from "../../../../wire";
import { canary, type World } from "../../../provider/world";

/** Source of a revision, in the format in which programs declare it. */
export interface Source {
  repoRef: string;
  graphConfigPath: string;
}

/** A revision on the control plane. */
export interface RevisionView {
  id: string;
  status: string;
  source: Source;
}

/** Settings of a deployment, without its revisions. */
export interface Settings {
  name: string;
  deploymentType: string;
  buildOnPush: boolean;
  cpu: number;
  /** Value of the `MODEL_KEY` secret. */
  secret: string | undefined;
  /** The ownership tag. */
  tag: string | undefined;
}

/** A deployment on the control plane, with its revisions, newest first. */
export interface DeploymentView {
  id: string;
  settings: Settings;
  serving: string | undefined;
  revisions: RevisionView[];
  /** The complete record, including fields that are hidden from the provider. */
  record: DeploymentRecord;
}

/** Returns all deployments that are not being deleted, without using the provider. */
export async function lookAt(world: World): Promise<DeploymentView[]> {
  const { resources } = (await ask(world, "GET", "/v2/deployments?limit=100")) as {
    resources: DeploymentRecord[];
  };
  const live = resources.filter(({ status }) => !status?.startsWith("AWAITING_"));
  return Promise.all(
    live.map(async (record) => {
      const path = `/v2/deployments/${record.id}/revisions?limit=100`;
      const { resources: revisions } = (await ask(world, "GET", path)) as { resources: RevisionRecord[] };
      return viewOf(record, revisions);
    }),
  );
}

/**
 * Sends another actor's request without a socket, because an open socket would not survive a restart of the control
 * plane.
 */
export async function ask(world: World, method: string, path: string, body?: object): Promise<unknown> {
  const { baseUrl, apiKey, tenantId } = world.plane;
  const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-tenant-id": tenantId };
  const request = new Request(baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await world.plane.fetch(request);
  if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}

function viewOf(record: DeploymentRecord, revisions: RevisionRecord[]): DeploymentView {
  const config = record.source_config!;
  return {
    id: record.id,
    settings: {
      name: record.name!,
      deploymentType: config.deployment_type!,
      buildOnPush: config.build_on_push!,
      cpu: config.resource_spec!["cpu"] as number,
      secret: secretIn(record, "MODEL_KEY")?.replace(`${canary}-`, ""),
      tag: secretIn(record, ownerSecretName),
    },
    serving: record.active_revision_id ?? undefined,
    revisions: revisions.map(({ id, status, source_revision_config: source }) => ({
      id,
      status,
      source: {
        repoRef: refs.get(source!.repo_ref!) ?? source!.repo_ref!,
        graphConfigPath: (source!.graph_config_path ?? source!.langgraph_config_path)!,
      },
    })),
    record,
  };
}

/** Returns the value of a secret in a record, or `undefined` if it is not reported. */
export function secretIn({ secrets }: DeploymentRecord, wanted: string): string | undefined {
  return secrets?.find(({ name }) => name === wanted)?.value ?? undefined;
}

/** Refs that the programs declare, keyed by the commits that the control plane resolves them to. */
const refs = new Map(
  ["v1", "v2", "theirs"].map((ref) => {
    const sourceConfig = { repo_url: "https://git.example.com/agents.git" };
    const sourceRevisionConfig = { repo_ref: ref };
    return [fakeCommit({ sourceConfig, sourceRevisionConfig } as never)!, ref];
  }),
);
