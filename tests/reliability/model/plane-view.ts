import { pretendedCommit } from "../../../emulator/rollout/pretended-commit";
import type { DeploymentRecord, RevisionRecord } from "../../../provider/control-plane/wire";
import { ownerSecretName } from "../../../provider/deployment/inputs";
import type { World } from "../../provider/world";

/** A revision as the control plane has it. */
export interface RevisionView {
  id: string;
  status: string;
  repoRef: string;
  graphConfigPath: string;
}

/** A deployment as the control plane has it; its revisions newest first. */
export interface DeploymentView {
  id: string;
  name: string;
  owner: string | undefined;
  serving: string | null | undefined;
  buildOnPush: boolean;
  deploymentType: string;
  cpu: unknown;
  /** Value of `MODEL_KEY`. */
  secret: string | undefined;
  revisions: RevisionView[];
}

/** Every deployment that is not being deleted, past the provider. */
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

/** Somebody else's request, without a socket: one that was kept open would not outlive the control plane. */
export async function ask(world: World, method: string, path: string, body?: object): Promise<unknown> {
  const { baseUrl, apiKey, tenantId } = world.plane;
  const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-tenant-id": tenantId };
  const request = new Request(baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await world.plane.fetch(request);
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}

function viewOf(record: DeploymentRecord, revisions: RevisionRecord[]): DeploymentView {
  const secretNamed = (wanted: string) => record.secrets?.find(({ name }) => name === wanted)?.value;
  const { source_config: config } = record;
  return {
    id: record.id,
    name: record.name!,
    owner: secretNamed(ownerSecretName) ?? undefined,
    serving: record.active_revision_id,
    buildOnPush: config!.build_on_push!,
    deploymentType: config!.deployment_type!,
    cpu: config!.resource_spec!["cpu"],
    secret: secretNamed("MODEL_KEY") ?? undefined,
    revisions: revisions.map(({ id, status, source_revision_config: source }) => ({
      id,
      status,
      repoRef: refs.get(source!.repo_ref!) ?? source!.repo_ref!,
      graphConfigPath: (source!.graph_config_path ?? source!.langgraph_config_path)!,
    })),
  };
}

/** The refs of these programs by the commits that the control plane turns them into. */
const refs = new Map(
  ["v1", "v2", "theirs"].map((ref) => {
    const sourceConfig = { repo_url: "https://git.example.com/agents.git" };
    const sourceRevisionConfig = { repo_ref: ref };
    return [pretendedCommit({ sourceConfig, sourceRevisionConfig } as never)!, ref];
  }),
);
