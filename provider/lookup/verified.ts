import type { AgentServerClient } from "../agent-server/client";
import type { ControlPlaneClient } from "../control-plane/client";
import { urlOf } from "../deployment/ownership/find-deployment";
import { fromWireSourceRevisionConfig } from "../deployment/mapping";
import { recordedArtifact } from "../deployment/rollout/verified";
import { findServing } from "../deployment/serving-revision";
import type { VerifiedArtifact, VerifiedArtifacts } from "../deployment/state";
import { asError } from "../errors";
import type { DeploymentRecord, RevisionRecord } from "../../wire";

/** Values required for a verification. */
interface VerificationOptions {
  client: ControlPlaneClient;
  agentServer: (url: string) => AgentServerClient;
  /** Called with the reason that the active revision is not verified. */
  warn: (reason: string) => void;
  now: () => number;
  signal?: AbortSignal | undefined;
}

/**
 * Verifies the active revision of a deployment: that it is healthy, and that the graph exists. The control plane does
 * not record verifications, so other revisions are not listed.
 */
export async function verifyServing(
  record: DeploymentRecord,
  { graph }: { graph?: string | undefined },
  { client, agentServer, warn, now, signal }: VerificationOptions,
): Promise<VerifiedArtifacts> {
  const serving = findServing(await client.revisions.list(record.id, signal), record.active_revision_id);
  const url = urlOf(record);
  if (serving?.status !== "DEPLOYED" || url === undefined) {
    warn("it serves no revision");
    return { history: [] };
  }
  try {
    const server = agentServer(url);
    await server.checkHealth();
    if (graph !== undefined && !(await server.assistants.hasGraph(graph)))
      throw new Error(`its agent server has no assistant for the graph "${graph}"`);
    const [found, newest] = await Promise.all([
      client.deployments.find(record.id, signal),
      client.revisions.list(record.id, signal),
    ]);
    const after = found && findServing(newest, found.active_revision_id);
    if (after?.id !== serving.id)
      throw new Error(
        after
          ? `revision ${serving.id} was replaced by revision ${after.id} during its verification`
          : `revision ${serving.id} stopped serving requests during its verification`,
      );
  } catch (error) {
    signal?.throwIfAborted();
    warn(asError(error).message.replace(/\.+$/, ""));
    return { history: [] };
  }
  const current = entryOf(record.source ?? "github", serving, graph, now());
  return { current, history: [current] };
}

function entryOf(
  source: string,
  { id, updated_at: updatedAt, created_at: createdAt, source_revision_config: config }: RevisionRecord,
  graph: string | undefined,
  now: number,
): VerifiedArtifact {
  return {
    source,
    artifact: recordedArtifact(source, config),
    graphConfigPath: fromWireSourceRevisionConfig(config).graphConfigPath ?? undefined,
    revisionId: id,
    verifiedAt: updatedAt ?? createdAt ?? new Date(now).toISOString(),
    verification: { ok: true, graph, run: false },
  };
}
