import type { Clock } from "../clock";
import { AgentServerError } from "../errors";
import { backoff, poll } from "../resource/poll";
import { sendOrDetect } from "../resource/write";
import type { AgentServerClient } from "./client";
import type { RunRecord } from "./wire";

/** Number of consecutive polls that must find no run before the run is considered deleted. */
const maxMisses = 3;

const schedule = backoff({ firstMs: 500, longestMs: 5_000, growth: 1.5 });

/** Values required to wait for a run. */
export interface RunContext {
  agentServer: AgentServerClient;
  clock: Clock;
  /** Deadline of the run, in milliseconds since 1970. */
  deadline: number;
  /** Called while the run is in progress. */
  onStatus?: (status: string) => void;
  /** Retries requests while a server may still be starting. */
  withRetries: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;
  signal?: AbortSignal | undefined;
}

/** Result of a run, or its status at the deadline. */
export interface RunEnd {
  status: string;
  /** Final state of the thread. */
  values?: unknown;
  /** Error of an unsuccessful run; empty if the server does not report one. */
  reason?: string;
}

/**
 * Starts a run on a thread that contains no other run. A run may incur costs, so after a lost response the run is
 * looked up instead of being started again.
 */
export async function startRun(
  { agentServer, clock, withRetries, signal }: RunContext,
  thread: string,
  { graph, input }: { graph: string; input: unknown },
): Promise<RunRecord> {
  // No deadline is passed, because the next poll of the run checks its time limit.
  return sendOrDetect(
    { clock, ...(signal && { signal }) },
    {
      send: () => agentServer.runs.start(thread, graph, input),
      check: async () => (await withRetries(() => agentServer.runs.list(thread)))[0],
    },
  );
}

/** Waits until a run ends or reaches its deadline. */
export async function endOfRun(context: RunContext, thread: string, run: RunRecord): Promise<RunEnd> {
  const { agentServer, withRetries } = context;
  const status = await awaitEnd(context, thread, run);
  if (isInProgress(status)) return { status };
  const state = await withRetries(() => agentServer.threads.getState(thread));
  if (status === "success") return { status, values: state.values };
  // A failed run is joined to get its error, which its record does not report.
  const joined = await withRetries(() => agentServer.runs.join(thread, run.run_id));
  const reason = joined?.__error__ ? describe(joined.__error__) : describe(state.tasks?.[0]?.error);
  return { status, values: state.values, reason };
}

/**
 * Returns the status of the run when it has ended or reached its deadline.
 * @throws AgentServerError with status 404 if the run or its thread no longer exists
 */
async function awaitEnd(context: RunContext, thread: string, run: RunRecord): Promise<string> {
  const { agentServer, clock, deadline, signal, onStatus } = context;
  let { status } = run;
  let misses = 0;
  await poll({ clock, deadline: { at: deadline }, ...(signal && { signal }) }, schedule, async (polls) => {
    try {
      if (polls > 1) status = (await agentServer.runs.get(thread, run.run_id)).status;
      misses = 0;
    } catch (error) {
      // A poll that fails temporarily says nothing about the result of the run.
      if (!AgentServerError.is(error) || error.isDenied) throw error;
      const isMissing = error.facts.status === 404;
      misses = isMissing ? misses + 1 : 0;
      if (isMissing && (misses >= maxMisses || !(await agentServer.threads.find(thread, signal))))
        throw error;
    }
    if (!isInProgress(status)) return true;
    onStatus?.(status);
    return undefined;
  });
  return status;
}

export function isInProgress(status: string): boolean {
  return status === "pending" || status === "running";
}

function describe(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return "";
  const { error: name, message } = error as { error?: unknown; message?: unknown };
  return [name, message].filter((part) => typeof part === "string" && part !== "").join(": ");
}
