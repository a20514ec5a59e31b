import type { AgentServerClient } from "../../agent-server/client";
import type { RunRecord } from "../../agent-server/wire";
import type { Clock } from "../../clock";
import { AgentServerError } from "../../errors";
import type { VerifyInputs } from "../inputs/inputs";
import { sendOrDetect } from "../../resource/write";
import { backoff, poll } from "../../resource/poll";
import { answerIn, unmetExpectation } from "./expectation";

const schedule = backoff({ firstMs: 500, longestMs: 5_000, growth: 1.5 });

export interface SmokeRun {
  agentServer: AgentServerClient;
  clock: Clock;
  graph: string;
  run: NonNullable<VerifyInputs["run"]>;
  /** Time limit of the run, in milliseconds since 1970. */
  deadline: number;
  /** Called during the run. */
  onStatus: (status: string) => void;
  /** Retries while a server may still be starting. */
  withRetries: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;
  /** Removes secret values from a string. */
  redact: (text: string) => string;
  signal?: AbortSignal;
}

/** Reason why a run did not succeed; `timedOut` if only its time limit was exceeded. */
export interface SmokeProblem {
  problem: string;
  timedOut?: true;
}

/**
 * Runs the graph once in a separate thread.
 * @returns the reason why it did not succeed; `undefined` if it did
 */
export async function smokeRun(smoke: SmokeRun): Promise<SmokeProblem | undefined> {
  const { agentServer, graph, withRetries: patiently, run } = smoke;
  const thread = await patiently(() => agentServer.threads.create());
  try {
    const started = await start(smoke, thread);
    const status = await awaitEnd(smoke, thread, started.run_id, started.status);
    if (isInProgress(status))
      return { problem: `the run of graph "${graph}" was still ${status} at the end`, timedOut: true };
    // A run that has ended is joined to get its error, which its record does not report.
    const joined = await patiently(() => agentServer.runs.join(thread, started.run_id));
    const state = await patiently(() => agentServer.threads.getState(thread));
    if (status !== "success") {
      const reason = joined?.__error__ ? describe(joined.__error__) : describe(state.tasks?.[0]?.error);
      return {
        problem: `the run of graph "${graph}" ended with status ${status}${reason ? `: ${reason}` : ""}`,
      };
    }
    const unmet =
      run.expect === undefined ? undefined : unmetExpectation(run.expect, state.values, smoke.redact);
    if (unmet === undefined) return undefined;
    return {
      problem: `the run of graph "${graph}" succeeded, but its state is not what was expected: ${unmet}. The agent answered: ${answerIn(state.values, smoke.redact)}`,
    };
  } finally {
    // The result stands even if the thread cannot be deleted; a cancellation does not wait for the deletion.
    const removed = agentServer.threads.delete(thread).catch(() => undefined);
    if (!smoke.signal?.aborted) await removed;
  }
}

/**
 * Starts the run. A run may incur costs, so after a lost response the run is looked up in its thread, which contains no
 * other run, instead of being started again.
 */
async function start(smoke: SmokeRun, thread: string): Promise<RunRecord> {
  const { agentServer, clock, graph, withRetries: patiently, run, signal } = smoke;
  // The next poll of the run checks its time limit.
  return sendOrDetect(
    { clock, signal },
    {
      send: () => agentServer.runs.start(thread, graph, run.input),
      check: async () => (await patiently(() => agentServer.runs.list(thread)))[0],
    },
  );
}

/** Returns the status of the run when it has ended or reached its time limit. */
async function awaitEnd(smoke: SmokeRun, thread: string, run: string, first: string): Promise<string> {
  let status = first;
  await poll({ ...smoke, deadline: { at: smoke.deadline } }, schedule, async (polls) => {
    try {
      if (polls > 1) status = (await smoke.agentServer.runs.get(thread, run)).status;
    } catch (error) {
      // A transient failure of a poll is not a result of the run.
      if (!AgentServerError.is(error) || error.isDenied) throw error;
    }
    if (!isInProgress(status)) return true;
    smoke.onStatus(`smoke run ${status}`);
    return undefined;
  });
  return status;
}

function isInProgress(status: string): boolean {
  return status === "pending" || status === "running";
}

function describe(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return "";
  const { error: name, message } = error as { error?: unknown; message?: unknown };
  return [name, message].filter((part) => typeof part === "string" && part !== "").join(": ");
}
