import { isTooLate, timeoutError } from "../../deadline";
import { AgentServerError, asError } from "../../errors";
import { plainText } from "../../text/plain-text";
import type { VerifyInputs } from "../inputs/inputs";
import type { ControlPlaneOperation } from "../../resource/operation";
import { poll } from "../../resource/poll";
import { servingPlace } from "./serving-place";
import { smokeRun, type SmokeProblem } from "./smoke-run";

/** Longest time for a server that has just been switched to, to answer as it should, in milliseconds. */
const warmUpMs = 120_000;
/** Pause between two tries in that time, in milliseconds. */
const warmUpPauseMs = 2_000;
/** Time before the deadline for the deletion of the thread of a smoke run, in milliseconds. */
const cleanUpMs = 5_000;
/** Longest text of a problem, in characters: it may be an agent's own. */
const problemLimit = 2_000;

/** How a verification ended. */
export interface Verification {
  /** What was found to be as it should. */
  passed: string[];
  /** Why the revision does not count as rolled out. */
  problem?: string;
  /** The time was up before the revision served, or before its run had ended; it may yet. */
  timedOut?: true;
}

/** Looks at what a DEPLOYED revision serves: that it does, its health, its graph, and one run of that. */
export async function verifyRevision(
  op: ControlPlaneOperation,
  wanted: VerifyInputs,
  deploymentId: string,
  revisionId: string,
): Promise<Verification> {
  const place = await servingPlace(op, deploymentId, revisionId);
  if ("problem" in place) return { passed: [], ...place, problem: bounded(op, place.problem) };
  const passed = [place.evidence];
  try {
    const found = await problemAt(op, wanted, place.url, passed);
    return { passed, ...found, problem: found && bounded(op, found.problem) };
  } catch (error) {
    // What no other revision could do better is no verdict on this one.
    if (op.time.signal?.aborted || isOurs(error)) throw error;
    if (isTooLate(error)) return { passed, problem: bounded(op, error.message), timedOut: true };
    const said = `the agent server at ${place.url} does not answer as it should: ${asError(error).message}`;
    return { passed, problem: bounded(op, said) };
  }
}

async function problemAt(
  op: ControlPlaneOperation,
  { ok = true, graph, run }: VerifyInputs,
  url: string,
  passed: string[],
): Promise<SmokeProblem | undefined> {
  const agentServer = op.plane.agentServer(url);
  if (ok) {
    await patiently(
      op,
      () => agentServer.checkHealth(),
      (error) => AgentServerError.is(error) && !isOurs(error),
    );
    passed.push("GET /ok answers 200");
  }
  if (graph === undefined) return undefined;
  if (!(await patiently(op, () => agentServer.assistants.hasGraph(graph), isTransient)))
    return { problem: `the agent server has no assistant of the graph "${graph}"` };
  passed.push(`graph "${graph}" is there`);
  if (!run) return undefined;
  const { clock, deadline, signal } = op.time;
  const onStatus = (status: string) => op.report.status.show("VERIFYING", `${status} of graph "${graph}"`);
  const asking = <Answer>(ask: () => Promise<Answer>) => patiently(op, ask, isTransient);
  const problem = await smokeRun({
    agentServer,
    clock,
    graph,
    run,
    deadline: deadline.at - cleanUpMs,
    onStatus,
    patiently: asking,
    redact: op.report.redact,
    signal,
  });
  if (problem === undefined) passed.push("the smoke run succeeded");
  return problem;
}

/** Tries again while a server may still be starting: a lost connection is no verdict. */
async function patiently<Result>(
  op: ControlPlaneOperation,
  work: () => Promise<Result>,
  mayPass: (error: unknown) => boolean,
): Promise<Result> {
  const { clock, deadline } = op.time;
  const at = Math.min(deadline.at, clock.now() + warmUpMs);
  let failure: unknown;
  const answered = await poll({ ...op.time, deadline: { at } }, { after: () => warmUpPauseMs }, async () => {
    try {
      return { result: await work() };
    } catch (error) {
      if (!mayPass(error)) throw error;
      failure = error;
      op.report.status.show("VERIFYING", asError(error).message);
      return undefined;
    }
  });
  if (answered) return answered.result;
  // A server that had too little time to start is not a failed verification.
  if (clock.now() >= deadline.at)
    throw timeoutError(
      deadline,
      `the verification did not end: ${asError(failure).message.replace(/\.+$/, "")}`,
    );
  throw failure;
}

/** A refused key, or an address that must not get it. */
function isOurs(error: unknown): boolean {
  return AgentServerError.is(error) && (error.isDenied || error.code === "bad_configuration");
}

function isTransient(error: unknown): boolean {
  return AgentServerError.is(error) && error.isTransient;
}

function bounded(op: ControlPlaneOperation, text: string): string {
  const clean = plainText(op.report.redact(text));
  return clean.length > problemLimit ? `${clean.slice(0, problemLimit)}…` : clean;
}
