import type { DeploymentState } from "../../../provider/deployment/state";
import { hasFailed, type Kept } from "./asked";
import type { DeploymentView } from "./plane-view";
import type { Program } from "./program";
import type { Mishap, ProviderProcess } from "./provider-process";

/** All that an `up` met. */
interface Situation {
  program: Program;
  kept: Kept | undefined;
  before: DeploymentView[];
  after: DeploymentView[];
  lingerSeconds: number;
}

/**
 * Whether a failed `up` may have failed: "told" where the change was made and its rollout is what failed, "refused"
 * where nothing was to be changed.
 */
export function excuse(
  failed: Error,
  situation: Situation,
  state: DeploymentState,
): "told" | "refused" | undefined {
  const { program, kept, before, after, lingerSeconds } = situation;
  const there = before.find(({ id }) => id === kept?.id);
  const awaitedId = state.settledRevision?.id ?? state.latestRevisionId;
  const awaited = after[0]?.revisions.find(({ id }) => id === awaitedId);
  const told = {
    "agentserver rollout_failed": awaited && hasFailed(awaited),
    // A time that is short may end just before the rollout does.
    "agentserver rollout_timeout":
      awaited && !hasFailed(awaited) && (awaited.status !== "DEPLOYED" || program.timeout !== null),
  }[String(failed)];
  if (told) return "told";
  const refused = {
    "agentserver deployment_gone": kept && !there,
    "agentserver foreign_revision":
      program.onConflict === "fail" && there?.revisions[0]!.id !== kept?.state.latestRevisionId,
    "agentserver name_conflict": lingerSeconds > 0 && program.timeout !== null,
  }[String(failed)];
  return refused ? "refused" : undefined;
}

/** What a mishap makes uncertain: whether the command succeeds at all, and how many revisions it makes. */
export function mayEndAnyhow(
  process: ProviderProcess,
  mishap: Mishap | undefined,
  before: DeploymentView[],
  program?: Program,
): { failure: boolean; count: boolean } {
  if (!process.struck || !mishap) return { failure: false, count: false };
  const cutOff = mishap.kind === "killed" || (mishap.kind === "outage" && mishap.refused > 5);
  // A repeated look comes later: a rollout that was under way may have failed by then, and asks for a revision.
  const underWay = before.some(({ revisions }) => !revisions.every(hasEnded));
  // Nothing is tried again beyond the timeout.
  const short = program !== undefined && program.timeout !== null;
  return { failure: cutOff || short, count: cutOff || short || underWay };
}

function hasEnded(revision: { status: string }): boolean {
  return hasFailed(revision) || ["DEPLOYED", "SKIPPED", "INTERRUPTED"].includes(revision.status);
}
