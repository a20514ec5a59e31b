import type { RevisionRecord } from "../../../wire";
import { changeOf } from "../../../wire/rollouts/change";
import { rolloutDuration } from "../../../wire/rollouts/duration";
import type { ControlPlaneClient } from "../client";
import { within } from "../../clock";
import { AgentServerError } from "../../errors";
import type { RolloutTraits } from "./rollout-traits";

/** A successful rollout. */
export interface KnownRollout extends RolloutTraits {
  deploymentId: string;
  /** True if this was the first rollout of its deployment. A first rollout may include the creation of a database. */
  isFirst: boolean;
  /** Duration in milliseconds. */
  ms: number;
  /** Start of each status after the first, in milliseconds after the start of the rollout. */
  phases?: readonly { status: string; afterMs: number }[];
}

/** Another deployment in the workspace. */
export interface OtherDeployment extends Pick<RolloutTraits, "sourceId"> {
  id: string;
}

/** Past rollouts that are comparable to the rollout in progress. */
export interface RolloutHistory {
  /** Durations in milliseconds. */
  durations: readonly number[];
  /** Number of failed rollouts, which are not included in `durations`. */
  failed: number;
}

/** Maximum number of rollouts to keep. */
const maxKept = 200;
/**
 * Maximum number of deployments for which a process requests past rollouts. Rollouts that the process has observed
 * itself are better evidence.
 */
const maxRequests = 4;
/** Number of known rollouts that is sufficient for a prediction. */
const enoughRollouts = 3;
/** Maximum number of other deployments for which the duration of the first rollout is requested. */
const maxSiblings = 3;
/** Maximum time that a request for past rollouts delays a wait, in milliseconds of real time. */
export const historyTimeoutMs = 5_000;

/**
 * Durations of the rollouts in a workspace: those that this process observed, and those that the control plane
 * recorded.
 */
export class KnownRollouts {
  private readonly rollouts: KnownRollout[] = [];
  private readonly failures = new Map<string, number>();
  private questions = 0;

  /** Records a rollout. */
  add(rollout: KnownRollout): void {
    this.rollouts.push(rollout);
    if (this.rollouts.length > maxKept) this.rollouts.shift();
  }

  /**
   * Requests the past rollouts of a deployment or, for its first rollout, those of other deployments. A failed request
   * is not retried.
   * @param client sends each request once, and waits for at most `historyTimeoutMs`
   * @param awaited the revision in progress, which is not evidence yet
   * @param others returns other deployments; called only if they are needed
   */
  async requestHistory(
    client: ControlPlaneClient,
    awaited: { deploymentId: string; revisionId: string; isFirst: boolean; signal?: AbortSignal | undefined },
    others: () => Promise<readonly OtherDeployment[]>,
  ): Promise<void> {
    const { deploymentId, isFirst } = awaited;
    if (
      this.questions >= maxRequests ||
      this.similarTo(deploymentId, isFirst).durations.length >= enoughRollouts
    )
      return;
    const deployments = isFirst
      ? ((await unlessRefused(within(AbortSignal.timeout(historyTimeoutMs), others()))) ?? [])
          .filter(({ id }) => id !== deploymentId)
          .slice(0, maxSiblings)
      : [{ id: deploymentId }];
    const chosen = deployments.slice(0, maxRequests - this.questions);
    this.questions += chosen.length;
    const asked = chosen.map(async (deployment) => {
      const revisions = await unlessRefused(client.revisions.list(deployment.id, awaited.signal));
      this.take(deployment, revisions ?? [], isFirst, awaited.revisionId);
    });
    await Promise.all(asked);
  }

  /**
   * Returns the durations of rollouts that are comparable to a rollout of this deployment. Comparable rollouts have the
   * same kind of change and the same source, and therefore the same language. Rollouts of this deployment take
   * precedence.
   * @param status status from the start of which the durations are measured; rollouts in which it was not observed are
   * omitted
   */
  similar(deploymentId: string, { change, sourceId }: RolloutTraits, status?: string): readonly number[] {
    if (change === undefined) return [];
    const alike = this.rollouts.filter((one) => one.change === change);
    const own = alike.filter((one) => one.deploymentId === deploymentId);
    const others = alike.filter((one) => sourceId !== undefined && one.sourceId === sourceId);
    return durations(own.length > 0 ? own : others, status);
  }

  /**
   * Returns the durations of rollouts comparable to one of this deployment: the deployment's own rollouts if there are
   * any, or else those of other deployments.
   * @param status status from the start of which the durations are measured; rollouts in which it was not observed are
   * omitted
   */
  similarTo(deploymentId: string, isFirst: boolean, status?: string): RolloutHistory {
    const alike = this.rollouts.filter(
      (one) => one.isFirst === isFirst && (status === undefined || startOf(one, status) !== undefined),
    );
    const own = alike.filter((one) => one.deploymentId === deploymentId);
    const lengths = durations(own.length > 0 ? own : alike, status);
    return { durations: lengths, failed: this.failures.get(deploymentId) ?? 0 };
  }

  private take(
    { id: deploymentId, sourceId }: OtherDeployment,
    revisions: readonly RevisionRecord[],
    isFirst: boolean,
    awaited: string,
  ): void {
    const past = revisions.filter(({ id }) => id !== awaited);
    const [last] = past.slice(-1);
    const alike = isFirst ? (last ? [last] : []) : past.length > 1 ? past.slice(0, -1) : past;
    for (const revision of alike) {
      const place = revisions.indexOf(revision);
      const ms = rolloutDuration(revision, revisions[place - 1]);
      const change = isFirst ? "first" : changeOf(revision, revisions[place + 1], revisions[0]!);
      if (ms !== undefined) this.add({ deploymentId, isFirst, ms, change, sourceId });
    }
    const failed = alike.filter(({ status }) => status.includes("FAILED")).length;
    if (!isFirst && failed > 0) this.failures.set(deploymentId, failed);
  }
}

/** Returns the response to an optional request; `undefined` if it is rejected or takes too long. */
async function unlessRefused<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    if (!isTimeout && !AgentServerError.is(error)) throw error;
    return undefined;
  }
}

/**
 * Returns the durations of rollouts. If a status is specified, they are measured from the start of this status, and
 * rollouts in which it was not observed are omitted.
 */
function durations(rollouts: readonly KnownRollout[], status: string | undefined): number[] {
  return rollouts
    .flatMap((one) => {
      const since = status === undefined ? 0 : startOf(one, status);
      return since === undefined ? [] : [one.ms - since];
    })
    .filter((ms) => ms > 0);
}

/** Returns the start of a status of a rollout, in milliseconds after the start of the rollout. */
function startOf({ phases = [] }: KnownRollout, status: string): number | undefined {
  return phases.find((phase) => phase.status === status)?.afterMs;
}
