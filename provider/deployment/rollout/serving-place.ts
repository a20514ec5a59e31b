import { AgentServerError } from "../../errors";
import { formatDuration } from "../../resource/duration";
import { backoff, poll } from "../../resource/poll";
import type { ControlPlaneOperation } from "../../resource/operation";
import { findLive, urlOf } from "../ownership/find-deployment";

const schedule = backoff({ firstMs: 1_000, longestMs: 10_000, growth: 1.3 });

/** Where a revision serves and how that is known, or why it does not. */
export type ServingPlace = { url: string; evidence: string } | { problem: string; timedOut?: true };

/** RolloutPolling until the deployment's URL serves this revision, as far as the control plane shows. */
export async function servingPlace(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
): Promise<ServingPlace> {
  const startedAt = op.time.clock.now();
  const waited = () => formatDuration(op.time.clock.now() - startedAt);
  let waitsFor = "";
  const place = await poll(op.time, schedule, async () => {
    const seen = await lookAt(op, deploymentId, revisionId);
    if (!("waitsFor" in seen)) return seen;
    waitsFor = seen.waitsFor;
    op.report.status.show("DEPLOYED", "does not serve yet");
    return undefined;
  });
  return place ?? { problem: `${waitsFor}, ${waited()} after that`, timedOut: true };
}

async function lookAt(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
): Promise<ServingPlace | { waitsFor: string }> {
  try {
    const record = await findLive(op, deploymentId, true);
    if (!record) return { problem: "the deployment no longer exists" };
    const active = record.active_revision_id ?? undefined;
    if (active !== undefined && active !== revisionId) {
      // What was switched to after this one will not make way for it again.
      if (active === record.latest_revision_id)
        return { problem: `revision ${active}, which somebody else made, serves in its place` };
      return { waitsFor: `revision ${active} still serves` };
    }
    const url = urlOf(record);
    if (!url) return { waitsFor: "the control plane reports no URL" };
    const evidence = active
      ? "the URL serves it (active_revision_id)"
      : "DEPLOYED (this control plane does not report which revision serves)";
    return { url, evidence };
  } catch (error) {
    if (!AgentServerError.is(error) || error.isDenied) throw error;
    return { waitsFor: `the deployment cannot be read (${error.message})` };
  }
}
