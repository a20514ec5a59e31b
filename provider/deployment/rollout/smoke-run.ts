import { type Clock, within } from "../../clock";
import { endOfRun, isInProgress, startRun, type RunContext } from "../../agent-server/run-to-end";
import type { VerifyInputs } from "../inputs/inputs";
import { answerIn, unmetExpectation } from "./expectation";

/** Time that a canceled operation waits for the deletion of its thread, in milliseconds. Its process may end after that. */
const maxCleanupMs = 1_000;

export interface SmokeRun extends RunContext {
  graph: string;
  run: NonNullable<VerifyInputs["run"]>;
  /** Removes secret values from a string. */
  redact: (text: string) => string;
}

/**
 * Reason that a run did not succeed; `timedOut` is set if the only problem was that the run exceeded its time limit.
 */
export interface SmokeProblem {
  problem: string;
  timedOut?: true;
}

/**
 * Runs the graph once in a separate thread.
 * @returns the reason that the run did not succeed; `undefined` if it did
 */
export async function smokeRun(smoke: SmokeRun): Promise<SmokeProblem | undefined> {
  const { agentServer, graph, withRetries } = smoke;
  const { input, expect } = smoke.run;
  const thread = await withRetries(() => agentServer.threads.create());
  try {
    const run = await startRun(smoke, thread, { graph, input });
    const { status, reason, values } = await endOfRun(smoke, thread, run);
    if (isInProgress(status))
      return {
        problem: `the run of graph "${graph}" was still ${status} when the timeout expired`,
        timedOut: true,
      };
    if (status !== "success")
      return {
        problem: `the run of graph "${graph}" ended with status ${status}${reason ? `: ${reason}` : ""}`,
      };
    const unmet = expect === undefined ? undefined : unmetExpectation(expect, values, smoke.redact);
    if (unmet === undefined) return undefined;
    return {
      problem: `the run of graph "${graph}" succeeded, but its state does not match the expected state: ${unmet}. The agent responded: ${answerIn(values, smoke.redact)}`,
    };
  } finally {
    // The result stands even if the thread cannot be deleted.
    const removed = agentServer.threads.delete(thread, null).catch(() => undefined);
    await within(smoke.signal, removed).catch(() => settled(smoke.clock, removed, maxCleanupMs));
  }
}

/** Waits until the work has ended, but not longer than `ms` milliseconds. */
async function settled(clock: Clock, work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  void work.finally(() => done.abort());
  await clock.sleep(ms, done.signal).catch(() => undefined);
}
