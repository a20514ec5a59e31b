import { AgentServerError } from "../../errors";
import { formatDuration } from "../duration";
import { urlOf } from "../lifecycle/address";
import type { Operation } from "../lifecycle/operation";
import { findLive } from "../lifecycle/presence";

/** First, longest and growth of the pause between two looks, in milliseconds. */
const pauses = { firstMs: 1_000, longestMs: 10_000, growth: 1.3 };

/** Where a revision serves and how that is known, or why it does not. */
export type ServingPlace = { url: string; evidence: string } | { problem: string; timedOut?: true };

/** Waits until the deployment's URL serves this revision, as far as the control plane shows. */
export async function servingPlace(
  op: Operation,
  deploymentId: string,
  revisionId: string,
): Promise<ServingPlace> {
  const startedAt = op.clock.now();
  for (let pause = pauses.firstMs; ; pause = Math.min(pause * pauses.growth, pauses.longestMs)) {
    const look = await lookAt(op, deploymentId, revisionId);
    if (!("waitsFor" in look)) return look;
    const left = op.deadline - op.clock.now();
    const waited = formatDuration(op.clock.now() - startedAt);
    if (left <= 0) return { problem: `${look.waitsFor}, ${waited} after that`, timedOut: true };
    op.status.show("DEPLOYED, does not serve yet", waited);
    await op.clock.sleep(Math.min(pause, left), op.signal);
  }
}

async function lookAt(
  op: Operation,
  deploymentId: string,
  revisionId: string,
): Promise<ServingPlace | { waitsFor: string }> {
  try {
    const record = await findLive(op, deploymentId, true);
    if (!record) return { problem: "the deployment is not there any more" };
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
