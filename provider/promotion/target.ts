import type { DeploymentRecord, RevisionRecord } from "../../wire";
import type { ControlPlaneClient } from "../control-plane/client";
import { fromWireSourceRevisionConfig } from "../deployment/mapping";
import { recordedArtifact } from "../deployment/rollout/verified";
import { AgentServerError } from "../errors";
import type { Source, TargetSources } from "./decide";

/** Statuses of revisions that neither serve nor will serve. */
const endedStatuses = ["SKIPPED", "INTERRUPTED"];

/** Reads the sources of the revisions of a deployment. */
export async function readTargetSources(
  { revisions }: ControlPlaneClient,
  record: DeploymentRecord,
  signal?: AbortSignal,
): Promise<TargetSources> {
  const listed = await revisions.list(record.id, signal);
  const active = await findServing(listed, record, (id) => revisions.get(record.id, id, signal));
  const source = (revision: RevisionRecord | undefined) => revision && sourceOf(record.source, revision);
  const [newest] = listed;
  const isInProgress = ({ status }: RevisionRecord) =>
    status !== "DEPLOYED" && !status.includes("FAILED") && !endedStatuses.includes(status);
  const place = listed.findIndex(({ id }) => id === active?.id);
  return {
    serving: source(active),
    rollingOut: newest && isInProgress(newest) ? source(newest) : undefined,
    failed: listed
      .slice(0, place === -1 ? undefined : place)
      .filter(({ status }) => status.includes("FAILED"))
      .flatMap((revision) => {
        const failed = source(revision);
        return failed ? [{ ...failed, status: revision.status }] : [];
      }),
  };
}

/** Returns the serving revision: the reported one, or else the newest one that is DEPLOYED. */
export async function findServing(
  listed: readonly RevisionRecord[],
  { active_revision_id: activeId }: DeploymentRecord,
  get: (id: string) => Promise<RevisionRecord>,
): Promise<RevisionRecord | undefined> {
  if (activeId === undefined) return listed.find(({ status }) => status === "DEPLOYED");
  if (activeId === null) return undefined;
  try {
    return listed.find(({ id }) => id === activeId) ?? (await get(activeId));
  } catch (error) {
    if (AgentServerError.is(error) && error.isMissing) return undefined;
    throw error;
  }
}

/** Returns the source of a revision: the recorded commit or image, or else the reference in its configuration. */
function sourceOf(
  kind: string | null | undefined,
  { source_revision_config: config }: RevisionRecord,
): Source | undefined {
  const { repoRef, imageUri, graphConfigPath } = fromWireSourceRevisionConfig(config);
  const source = kind ?? (repoRef ? "github" : "external_docker");
  const artifact = recordedArtifact(source, config) ?? (source === "github" ? repoRef : imageUri);
  return artifact ? { source, artifact, graphConfigPath: graphConfigPath ?? undefined } : undefined;
}
