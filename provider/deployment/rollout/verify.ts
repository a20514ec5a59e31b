import { isTooLate, timeoutError } from "../../deadline";
import { AgentServerError, asError } from "../../errors";
import { plainText } from "../../text/plain-text";
import type { VerifyInputs } from "../inputs/inputs";
import type { ControlPlaneOperation } from "../../resource/operation";
import { backoff, poll } from "../../resource/poll";
import { smokeRun, type SmokeProblem } from "./smoke-run";
import { formatDuration } from "../../text/duration";
import { findLive, isLive, urlOf } from "../ownership/find-deployment";
import { verifyFailed } from "../state";
import type { RolloutRequest } from "./awaited";
import type { Settlement } from "./settle";

/** Maximum time for a new server to respond as expected, in milliseconds. */
const warmUpMs = 120_000;
/** Pause between two attempts in that time, in milliseconds. */
const warmUpPauseMs = 2_000;
/** Time reserved before the deadline to delete the thread of a smoke run, in milliseconds. */
const cleanUpMs = 5_000;
/** Maximum length of the text of a problem, in characters: it may come from the agent. */
const problemLimit = 2_000;

/** Pauses while another revision is still serving. */
const untilServing = backoff({ firstMs: 1_000, longestMs: 10_000, growth: 1.3 });

/** Result of a verification. */
interface Verification {
  /** Checks that passed. */
  passed: string[];
  /** Reason why the revision does not count as rolled out. */
  problem?: string;
  /**
   * True if the time limit expired before the revision served requests, or before its run ended; the revision may still
   * succeed.
   */
  timedOut?: true;
}

/** Result of the rollout of one revision, including its verification. */
export interface RolloutEnd extends Settlement {
  /** The status to record: as reported, or `VERIFY_FAILED`. */
  status?: string;
  verification?: Verification;
}

/** Verifies a DEPLOYED revision if requested; a failed verification fails the rollout. */
export async function verifySettled(
  op: ControlPlaneOperation,
  { deploymentId, inputs, awaited }: RolloutRequest,
  settlement: Settlement,
): Promise<RolloutEnd> {
  const { revision } = settlement;
  const wanted = awaited?.adopted ? undefined : inputs.rollout?.verify;
  if (settlement.outcome !== "deployed" || !revision || !wanted)
    return { ...settlement, status: revision?.status };
  const startedAt = op.time.clock.now();
  const verification = await verifyRevision(op, wanted, deploymentId, revision.id);
  const end = {
    ...settlement,
    elapsedMs: settlement.elapsedMs + op.time.clock.now() - startedAt,
    status: revision.status,
  };
  if (verification.problem && !(await deploymentExists(op, deploymentId))) return { ...end, outcome: "gone" };
  if (verification.timedOut) return { ...end, outcome: "timeout", verification };
  if (verification.problem) return { ...end, outcome: "failed", status: verifyFailed, verification };
  op.report.log("info", `revision ${revision.id} is verified: ${verification.passed.join("; ")}`);
  return { ...end, verification };
}

/** Checks a DEPLOYED revision: that it serves, its health, its graph, and one run of the graph. */
async function verifyRevision(
  op: ControlPlaneOperation,
  wanted: VerifyInputs,
  deploymentId: string,
  revisionId: string,
): Promise<Verification> {
  const place = await servingPlace(op, deploymentId, revisionId);
  if ("problem" in place) return { passed: [], ...place, problem: limitLength(op, place.problem) };
  const passed = [place.evidence];
  try {
    const found = await problemAt(op, wanted, place.url, passed);
    return { passed, ...found, problem: found && limitLength(op, found.problem) };
  } catch (error) {
    // A problem that affects every revision is not a failed verification of this one.
    if (op.time.signal?.aborted || isOurs(error)) throw error;
    if (isTooLate(error)) return { passed, problem: limitLength(op, error.message), timedOut: true };
    const said = `the agent server at ${place.url} does not respond correctly: ${asError(error).message}`;
    return { passed, problem: limitLength(op, said) };
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
    await retryWhileStarting(
      op,
      () => agentServer.checkHealth(),
      (error) => AgentServerError.is(error) && !isOurs(error),
    );
    passed.push("GET /ok returns 200");
  }
  if (graph === undefined) return undefined;
  if (!(await retryWhileStarting(op, () => agentServer.assistants.hasGraph(graph), isTransient)))
    return { problem: `the agent server has no assistant of the graph "${graph}"` };
  passed.push(`graph "${graph}" exists`);
  if (!run) return undefined;
  const { clock, deadline, signal } = op.time;
  const onStatus = (status: string) => op.report.status.show("VERIFYING", `${status} of graph "${graph}"`);
  const asking = <Answer>(ask: () => Promise<Answer>) => retryWhileStarting(op, ask, isTransient);
  const problem = await smokeRun({
    agentServer,
    clock,
    graph,
    run,
    deadline: deadline.at - cleanUpMs,
    onStatus,
    withRetries: asking,
    redact: op.report.redact,
    signal,
  });
  if (problem === undefined) passed.push("the smoke run succeeded");
  return problem;
}

/** Retries while a server may still be starting: a lost connection is not a result. */
async function retryWhileStarting<Result>(
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
      `the verification could not be completed: ${asError(failure).message.replace(/\.+$/, "")}`,
    );
  throw failure;
}

/** True if the credentials are rejected, or must not be sent to the address. */
function isOurs(error: unknown): boolean {
  return AgentServerError.is(error) && (error.isDenied || error.code === "bad_configuration");
}

function isTransient(error: unknown): boolean {
  return AgentServerError.is(error) && error.isTransient;
}

function limitLength(op: ControlPlaneOperation, text: string): string {
  const clean = plainText(op.report.redact(text));
  return clean.length > problemLimit ? `${clean.slice(0, problemLimit)}…` : clean;
}

/** True if the deployment exists, or cannot be read. */
async function deploymentExists(op: ControlPlaneOperation, deploymentId: string): Promise<boolean> {
  try {
    return await isLive(op, deploymentId);
  } catch (error) {
    if (op.time.signal?.aborted) throw error;
    return true;
  }
}

/** Address at which a revision serves and the evidence for it, or the reason why it does not serve. */
type ServingPlace = { url: string; evidence: string } | { problem: string; timedOut?: true };

/** Polls until the control plane reports that the deployment's URL serves this revision, if it reports that. */
async function servingPlace(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
): Promise<ServingPlace> {
  const startedAt = op.time.clock.now();
  const elapsed = () => formatDuration(op.time.clock.now() - startedAt);
  let waitsFor = "";
  const place = await poll(op.time, untilServing, async () => {
    const seen = await readPlace(op, deploymentId, revisionId);
    if (!("waitsFor" in seen)) return seen;
    waitsFor = seen.waitsFor;
    op.report.status.show("DEPLOYED", "not serving requests yet");
    return undefined;
  });
  return place ?? { problem: `${waitsFor} ${elapsed()} after the rollout`, timedOut: true };
}

async function readPlace(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
): Promise<ServingPlace | { waitsFor: string }> {
  try {
    const record = await findLive(op, deploymentId, true);
    if (!record) return { problem: "the deployment no longer exists" };
    const active = record.active_revision_id ?? undefined;
    if (active !== undefined && active !== revisionId) {
      // A newer revision that serves will not give way to this one again.
      if (active === record.latest_revision_id)
        return { problem: `revision ${active}, which this update did not create, is serving instead` };
      return { waitsFor: `revision ${active} is still serving` };
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
