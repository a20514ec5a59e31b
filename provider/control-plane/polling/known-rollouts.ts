import type { RevisionRecord } from "../../../wire";
import type { ControlPlaneClient } from "../client";
import { within } from "../../clock";
import { AgentServerError } from "../../errors";

/** A rollout that ended as it should, as far as it is known. */
export interface KnownRollout {
  deploymentId: string;
  /** Whether it was the first one of its deployment, which may have a database to make. */
  isFirst: boolean;
  /** How long it took, in milliseconds. */
  ms: number;
  /** When its later statuses began, in milliseconds after its start. */
  phases?: readonly { status: string; afterMs: number }[];
}

/** Rollouts that are like one that is waited for. */
export interface Past {
  /** How long they took, in milliseconds. */
  lengths: readonly number[];
  /** How many others failed. */
  failed: number;
}

/** Most rollouts that are kept. */
const mostKept = 200;
/** Most deployments that a process asks about their past: what it then sees itself tells more. */
const mostQuestions = 4;
/** So many rollouts that are known tell enough. */
const enough = 3;
/** Most deployments of the workspace that are asked how long their first rollout took. */
const mostSiblings = 3;
/** A revision that somebody else replaced or touched later shows no length; none takes this long, in milliseconds. */
const longestMs = 4 * 3_600_000;

/** Longest time that a wait is held up by such a question, in milliseconds of real time. */
export const questionPatienceMs = 5_000;

/** How long rollouts of a workspace have taken: those that this process saw, and what the control plane kept. */
export class KnownRollouts {
  private readonly rollouts: KnownRollout[] = [];
  private readonly failures = new Map<string, number>();
  private questions = 0;

  /** Keeps what was seen. */
  add(rollout: KnownRollout): void {
    this.rollouts.push(rollout);
    if (this.rollouts.length > mostKept) this.rollouts.shift();
  }

  /**
   * Asks for the past of a deployment, or, where this is its first rollout, for that of others. Questions that fail
   * leave nothing behind but that they were asked.
   * @param client sends each request once, and waits for no longer than `questionPatienceMs`
   * @param awaited the revision that is waited for, which tells nothing yet
   * @param others the ids of other deployments, read where they are needed
   */
  async ask(
    client: ControlPlaneClient,
    awaited: { deploymentId: string; revisionId: string; isFirst: boolean; signal?: AbortSignal | undefined },
    others: () => Promise<readonly string[]>,
  ): Promise<void> {
    const { deploymentId, isFirst } = awaited;
    if (this.questions >= mostQuestions || this.like(deploymentId, isFirst).lengths.length >= enough) return;
    const ids = isFirst
      ? ((await unlessRefused(within(AbortSignal.timeout(questionPatienceMs), others()))) ?? [])
          .filter((id) => id !== deploymentId)
          .slice(0, mostSiblings)
      : [deploymentId];
    const chosen = ids.slice(0, mostQuestions - this.questions);
    this.questions += chosen.length;
    const asked = chosen.map(async (id) => {
      const revisions = await unlessRefused(client.revisions.list(id, awaited.signal));
      this.take(id, revisions ?? [], isFirst, awaited.revisionId);
    });
    await Promise.all(asked);
  }

  /**
   * How long rollouts like one of this deployment took: its own, where there are any, else those of others.
   * @param status only what came after the beginning of this status, and only of rollouts that were seen in it
   */
  like(deploymentId: string, isFirst: boolean, status?: string): Past {
    const alike = this.rollouts.filter(
      (one) => one.isFirst === isFirst && (status === undefined || begin(one, status) !== undefined),
    );
    const own = alike.filter((one) => one.deploymentId === deploymentId);
    const lengths = (own.length > 0 ? own : alike).map(
      (one) => one.ms - (status === undefined ? 0 : begin(one, status)!),
    );
    return { lengths: lengths.filter((ms) => ms > 0), failed: this.failures.get(deploymentId) ?? 0 };
  }

  private take(
    deploymentId: string,
    revisions: readonly RevisionRecord[],
    isFirst: boolean,
    awaited: string,
  ): void {
    const past = revisions.filter(({ id }) => id !== awaited);
    const [last] = past.slice(-1);
    const alike = isFirst ? (last ? [last] : []) : past.length > 1 ? past.slice(0, -1) : past;
    for (const revision of alike) {
      const ms = lengthOf(revision, revisions[revisions.indexOf(revision) - 1]);
      if (ms !== undefined) this.add({ deploymentId, isFirst, ms });
    }
    const failed = alike.filter(({ status }) => status.includes("FAILED")).length;
    if (!isFirst && failed > 0) this.failures.set(deploymentId, failed);
  }
}

/** The answer to an optional question; `undefined` if it is refused or takes too long. */
async function unlessRefused<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    if (!isTimeout && !AgentServerError.is(error)) throw error;
    return undefined;
  }
}

/** When a status of a rollout began, in milliseconds after its start. */
function begin({ phases = [] }: KnownRollout, status: string): number | undefined {
  return phases.find((phase) => phase.status === status)?.afterMs;
}

/** From the times of its record; nothing where something happened to the record after its rollout. */
function lengthOf(
  { status, created_at: created, updated_at: updated }: RevisionRecord,
  next: RevisionRecord | undefined,
): number | undefined {
  if (status !== "DEPLOYED" || !created || !updated) return undefined;
  const ms = Date.parse(updated) - Date.parse(created);
  if (next?.created_at && Date.parse(updated) >= Date.parse(next.created_at)) return undefined;
  return ms > 0 && ms < longestMs ? ms : undefined;
}
