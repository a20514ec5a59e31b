import { endOfRun, isInProgress, startRun, type RunContext, type RunEnd } from "../agent-server/run-to-end";
import type { StoredThread } from "../agent-server/wire";
import { signalAt, timeoutError, type Deadline } from "../deadline";
import { AgentServerError, asError } from "../errors";
import type { JsonRequest, ProbeResponse } from "../http/probe";
import { mapConcurrently } from "../map-concurrently";
import { digestOf } from "../resource/inputs/json";
import { ignoreConflict } from "../resource/ownership/claim";
import { namedUuid } from "../resource/ownership/derived-id";
import { backoff, poll } from "../resource/poll";
import { isCompared, type LocatedCase, nameOf } from "./case";
import { formatDuration, parseDuration } from "../text/duration";
import { plainText } from "../text/plain-text";
import { truncate } from "../text/truncate";
import { answerOf, mismatch } from "./compare";
import type { EvaluationInputs, JudgeInputs } from "./inputs";
import type { CaseResult } from "./score";
import { readVerdict, type Verdict } from "./verdict";

/** Namespace for the thread IDs of evaluations. */
const namespace = "0a6d4c0e-3b53-5d0c-8f0b-0b6b0d8c1f55";
/** Metadata key that marks the threads of evaluations. The value is the ID of the deployment. */
const evaluationKey = "agentserver_evaluation";
/** Metadata key in a case's thread for the recorded verdict of an HTTP judge. */
const verdictKey = "agentserver_verdict";
const defaultConcurrency = 5;
const defaultJudgePass = 0.5;
/** Default maximum duration of the run of one case. */
const defaultCaseTimeout = "10m";
/** Maximum time that an HTTP judge may take to respond, in milliseconds. */
const judgeTimeoutMs = 120_000;
/** Maximum length of the reason that is recorded with a thread, in characters. */
const recordedReasonLimit = 1_000;
/**
 * Maximum number of times that the graph is started for the same thread ID. It is started again if the thread is
 * deleted, or if an earlier result cannot be used.
 */
const maxStarts = 3;

const judgeRetries = backoff({ firstMs: 1_000, longestMs: 20_000, growth: 2 });
/** Maximum number of requests to an HTTP judge for one case, including those that fail temporarily. */
const maxJudgeRequests = 8;

/** Values and functions that an evaluation needs. */
export interface Evaluation extends RunContext {
  deploymentId: string;
  revisionId: string;
  graph: string;
  settings: Pick<EvaluationInputs, "answer" | "caseTimeout" | "concurrency" | "judge">;
  cases: readonly LocatedCase[];
  /** Time limit of the operation, used in messages. */
  timeLimit: Deadline;
  postJson: (url: string, request: JsonRequest) => Promise<ProbeResponse>;
  onProgress: (text: string) => void;
  redact: (text: string) => string;
  warn: (text: string) => void;
  /** True if the evaluation can continue after this error, so that its threads are kept. */
  isResumable: (error: unknown) => boolean;
}

/** Result of a run, and the separate thread that it ran on. */
interface ThreadRun {
  thread: StoredThread;
  end: RunEnd;
}

/**
 * Runs each case once on a separate thread. The thread ID is derived from the revision and the input, so that a later
 * evaluation finds the finished runs of one that was interrupted. The threads are deleted when all cases have finished.
 * @throws AgentServerError `timeout` if there is not enough time; a later evaluation of the revision resumes this one
 */
export async function runCases(given: Evaluation): Promise<CaseResult[]> {
  const { agentServer, cases, settings, isResumable, onProgress, withRetries } = given;
  const evaluation = { ...given, warn: once(given.warn) };
  let finished = 0;
  let passed = 0;
  const threads = new Set<string>();
  const keys = keysOf(evaluation);
  const progress = () => onProgress(`${finished} of ${cases.length} cases finished, ${passed} passed`);
  progress();
  const assistant = cases.every(isCompared) ? undefined : settings.judge?.assistant;
  if (assistant !== undefined && !(await withRetries(() => agentServer.assistants.canRun(assistant))))
    throw interruption(
      `The agent server has no assistant for the graph "${assistant}", which is specified as the judge. Correct the judge and run \`pulumi up\` again`,
    );
  try {
    const all = cases.map((one, index) => ({ one, key: keys[index]! }));
    const results = await mapConcurrently(
      all,
      settings.concurrency ?? defaultConcurrency,
      async ({ one, key }) => {
        const result = await resultOf(evaluation, one, key, threads);
        if (!result) throw tooLate(evaluation, finished);
        finished += 1;
        if (result.reason === undefined) passed += 1;
        progress();
        return result;
      },
    );
    await deleteThreads(evaluation, threads);
    return results;
  } catch (error) {
    if (!isResumable(error)) await deleteThreads(evaluation, threads);
    throw error;
  }
}

/** Returns a function that reports the first message and ignores all others. */
function once(report: (text: string) => void): (text: string) => void {
  let isReported = false;
  return (text) => {
    if (!isReported) report(text);
    isReported = true;
  };
}

/** Returns the keys from which the thread IDs of the cases are derived. Cases with equal inputs have different keys. */
function keysOf({ cases, graph, revisionId }: Evaluation): string[] {
  const counts = new Map<string, number>();
  return cases.map(({ input }) => {
    const digest = digestOf({ revisionId, graph, input });
    const count = counts.get(digest) ?? 0;
    counts.set(digest, count + 1);
    return `${digest} ${count}`;
  });
}

function tooLate({ cases, timeLimit }: Evaluation, finished: number): AgentServerError {
  return timeoutError(
    timeLimit,
    `the evaluation could not be completed: ${finished} of ${cases.length} cases have finished; the next update continues with the other cases`,
  );
}

/** Returns the result of a case; `undefined` if there is not enough time. */
async function resultOf(
  evaluation: Evaluation,
  one: LocatedCase,
  key: string,
  threads: Set<string>,
): Promise<CaseResult | undefined> {
  const { graph, settings, redact } = evaluation;
  const run = await runOnce(evaluation, key, { graph, input: one.input }, threads);
  if (!run) return undefined;
  const { status, values } = run.end;
  const name = nameOf(one);
  const { input } = one;
  if (status !== "success")
    return { name, input, score: 0, reason: `the run ${failureOf(evaluation, run.end)}` };
  const answer = answerOf(values, settings.answer);
  if (isCompared(one)) {
    const unmet = mismatch(one, answer, redact);
    return unmet === undefined ? { name, score: 1 } : { name, input, answer, score: 0, reason: unmet };
  }
  const judge = settings.judge!;
  const question: Question = {
    input,
    answer: answer ?? null,
    reference: one.reference ?? null,
    instructions: judge.instructions ?? null,
  };
  const verdict =
    judge.assistant === undefined
      ? await askEndpoint(evaluation, judge, question, run.thread, name)
      : await askAssistant(evaluation, judge.assistant, question, key, threads, name);
  if (!verdict) return undefined;
  const { score } = verdict;
  if (score >= (judge.pass ?? defaultJudgePass)) return { name, score };
  const reason = `the judge gave the score ${score}${verdict.reason ? `: ${verdict.reason}` : ""}`;
  return { name, input, answer, score, reason };
}

/** Describes how an unsuccessful run ended. */
function failureOf(evaluation: Evaluation, { status, reason }: RunEnd): string {
  if (isInProgress(status)) return `did not end within ${formatDuration(caseTimeoutMs(evaluation))}`;
  return `ended with status ${status}${reason ? `: ${reason}` : ""}`;
}

function caseTimeoutMs({ settings: { caseTimeout = defaultCaseTimeout } }: Evaluation): number {
  return parseDuration(caseTimeout)!;
}

/**
 * Runs a graph on the thread with this key, unless an earlier evaluation has done so. If the run reaches the time limit
 * of the case, it is returned while it is still in progress.
 * @returns `undefined` if there is not enough time for the operation
 * @param isUsable false if the result of an earlier evaluation must not be used, so that the graph runs again
 */
async function runOnce(
  evaluation: Evaluation,
  key: string,
  what: { graph: string; input: unknown },
  threads: Set<string>,
  isUsable: (end: RunEnd) => boolean = () => true,
): Promise<ThreadRun | undefined> {
  const { agentServer, clock, deadline, withRetries } = evaluation;
  for (let starts = 1; ; starts += 1)
    try {
      if (clock.now() >= deadline) return undefined;
      const { thread, isNew } = await openThread(evaluation, key);
      threads.add(thread.thread_id);
      let mayHaveRun = !isNew;
      const { run, isEarlier } = await withRetries(async () => {
        const found = mayHaveRun ? (await agentServer.runs.list(thread.thread_id))[0] : undefined;
        mayHaveRun = true;
        return found
          ? { run: found, isEarlier: !isNew }
          : { run: await startRun(evaluation, thread.thread_id, what), isEarlier: false };
      });
      // The limit also covers the time before an interruption.
      const startedAt = (isEarlier && Date.parse(run.created_at ?? "")) || clock.now();
      const limit = Math.min(deadline, startedAt + caseTimeoutMs(evaluation));
      const end = await endOfRun({ ...evaluation, deadline: limit }, thread.thread_id, run);
      if (isInProgress(end.status) && clock.now() >= deadline) return undefined;
      if (!isEarlier || isUsable(end) || starts >= maxStarts) return { thread, end };
      // If the thread cannot be deleted, the next attempt finds the same result.
      await agentServer.threads.delete(thread.thread_id).catch(() => undefined);
    } catch (error) {
      // A 404 response means that another client has deleted the thread.
      if (!AgentServerError.is(error) || error.facts.status !== 404 || starts >= maxStarts) throw error;
    }
}

/** Creates the thread with this key, or finds the thread from an earlier evaluation. */
async function openThread(
  { agentServer: { threads }, deploymentId, withRetries, signal }: Evaluation,
  key: string,
) {
  const id = namedUuid(namespace, key);
  const metadata = { [evaluationKey]: deploymentId };
  return withRetries(async () => {
    const created = await threads.createAs(id, { metadata }).catch(ignoreConflict);
    const thread = created ?? (await threads.find(id, signal)) ?? (await threads.createAs(id, { metadata }));
    return { thread, isNew: created !== undefined };
  });
}

/** Data that a judge receives for one case. */
interface Question {
  input: unknown;
  answer: unknown;
  reference: unknown;
  instructions: string | null;
}

/** Asks an assistant of the deployment for its verdict, with a run on a separate thread. */
async function askAssistant(
  evaluation: Evaluation,
  assistant: string,
  question: Question,
  key: string,
  threads: Set<string>,
  name: string,
): Promise<Verdict | undefined> {
  const messages = [{ role: "user", content: JSON.stringify(question) }];
  const digest = digestOf({ assistant, question });
  const run = await runOnce(
    evaluation,
    `${key} ${digest}`,
    { graph: assistant, input: { messages } },
    threads,
    (end) => verdictIn(end) !== undefined,
  );
  if (!run) return undefined;
  if (run.end.status !== "success")
    throw judgeFault(evaluation, `assistant ${assistant}`, name, `its run ${failureOf(evaluation, run.end)}`);
  return verdictIn(run.end) ?? invalidVerdict(evaluation, `assistant ${assistant}`, name);
}

/** Returns the verdict in the result of an assistant's run; `undefined` if it contains none. */
function verdictIn({ status, values }: RunEnd): Verdict | undefined {
  return status === "success" ? readVerdict(answerOf(values)) : undefined;
}

/** Asks an HTTP endpoint for its verdict, and records the verdict in the metadata of the case's thread. */
async function askEndpoint(
  evaluation: Evaluation,
  { url = "", headers = {} }: JudgeInputs,
  question: Question,
  thread: StoredThread,
  name: string,
): Promise<Verdict | undefined> {
  const { agentServer, clock, deadline, postJson, redact, signal, warn, withRetries } = evaluation;
  const of = digestOf({ url, question });
  const recorded = thread.metadata?.[verdictKey] as { of?: unknown } | null | undefined;
  const earlier = recorded?.of === of ? readVerdict(recorded) : undefined;
  if (earlier) return earlier;
  const { origin, pathname } = new URL(url);
  const judge = `judge at ${origin}${pathname}`;
  const response = await poll(
    { clock, deadline: { at: deadline }, ...(signal && { signal }) },
    judgeRetries,
    async (requests) => {
      const expired = signalAt(Math.min(deadline, clock.now() + judgeTimeoutMs), clock.now());
      const both = signal ? AbortSignal.any([signal, expired]) : expired;
      const { status, text } = await postJson(url, { body: question, headers, signal: both });
      signal?.throwIfAborted();
      const isTemporary = status === undefined || status === 408 || status === 429 || status >= 500;
      if (!isTemporary || requests >= maxJudgeRequests) return { status, text };
      evaluation.onProgress(`the ${judge} returned ${status ?? "no response"}`);
      return undefined;
    },
  );
  if (!response) return undefined;
  const { status, text } = response;
  if (status === undefined) throw judgeFault(evaluation, judge, name, `there was no response: ${text}`);
  if (status < 200 || status >= 300) throw judgeFault(evaluation, judge, name, `it returned ${status}`);
  const verdict = readVerdict(text) ?? invalidVerdict(evaluation, judge, name);
  const reason = verdict.reason && truncate(plainText(redact(verdict.reason)), recordedReasonLimit);
  const metadata = {
    ...thread.metadata,
    [verdictKey]: { of, score: verdict.score, ...(reason && { reason }) },
  };
  try {
    await withRetries(() => agentServer.threads.update(thread.thread_id, { metadata }));
  } catch (error) {
    // The record only avoids a repeated request after an interruption.
    signal?.throwIfAborted();
    const why = redact(asError(error).message.replace(/\.+$/, ""));
    warn(
      `The verdict of the ${judge} for case ${name} could not be recorded: ${why}. If the evaluation is interrupted, the judge is asked again about the cases without a recorded verdict.`,
    );
  }
  return verdict;
}

function invalidVerdict(evaluation: Evaluation, judge: string, name: string): never {
  throw judgeFault(
    evaluation,
    judge,
    name,
    'its answer is not JSON such as {"score": 0.8, "reason": "…"} or {"passed": true}',
  );
}

/** Returns the error for a judge that does not return a verdict. The error does not count against the revision. */
function judgeFault({ redact }: Evaluation, judge: string, name: string, why: string): AgentServerError {
  return interruption(
    `The ${judge} returned no verdict for case ${name}: ${redact(why)}. Correct the judge and run \`pulumi up\` again`,
  );
}

/**
 * Returns the error for an evaluation that has to be continued later. The error does not count against the revision.
 */
function interruption(text: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `${text}, which continues with the cases that have no result.`,
  );
}

/**
 * Deletes these threads, and the threads of earlier evaluations of the deployment if the server can find them. A
 * canceled operation keeps the remaining threads, because the next evaluation uses their results.
 */
async function deleteThreads(
  { agentServer: { threads }, deploymentId, settings, signal }: Evaluation,
  known: ReadonlySet<string>,
): Promise<void> {
  const found = await threads.search({ [evaluationKey]: deploymentId }, signal).catch(() => []);
  const earlier = found
    .filter(({ metadata }) => metadata?.[evaluationKey] === deploymentId)
    .map(({ thread_id: id }) => id);
  const all = [...new Set([...known, ...earlier])];
  // The result stands even if a thread cannot be deleted.
  await mapConcurrently(all, settings.concurrency ?? defaultConcurrency, (id) =>
    threads.delete(id).catch(() => undefined),
  );
}
