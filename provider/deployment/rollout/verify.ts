import type { AgentServerClient } from "../../agent-server/client";
import type { RunContext } from "../../agent-server/run-to-end";
import { isTooLate, timeoutError } from "../../deadline";
import { AgentServerError, asError } from "../../errors";
import { readCases } from "../../evaluation/dataset";
import type { EvaluationInputs } from "../../evaluation/inputs";
import { runCases } from "../../evaluation/runner";
import { describeWorst, insufficiency, passedOf, scoreOf } from "../../evaluation/score";
import { plainText } from "../../text/plain-text";
import { truncate } from "../../text/truncate";
import type { VerifyInputs } from "../inputs/inputs";
import type { ControlPlaneOperation } from "../../resource/operation";
import { backoff, poll } from "../../resource/poll";
import { secretsIn, withRedaction } from "./redaction";
import { smokeRun } from "./smoke-run";
import { formatDuration } from "../../text/duration";
import { findServing } from "../serving-revision";
import { findLive, isLive, urlOf } from "../ownership/find-deployment";
import { verifyFailed, type VerifiedArtifacts } from "../state";
import type { RolloutRequest } from "./awaited";
import type { Settlement } from "./settle";

/** Maximum time that a new server may take to respond as expected, in milliseconds. */
const warmUpMs = 120_000;
/** Pause between attempts while a new server does not respond as expected, in milliseconds. */
const warmUpPauseMs = 2_000;
/** Time reserved before the deadline for deleting the thread of a smoke run, in milliseconds. */
const cleanUpMs = 5_000;
/**
 * Maximum length of the description of a problem, in characters. It is limited because the description may come from
 * the agent.
 */
const problemLimit = 2_000;

/** Pauses between polls while a different revision is still active. */
const untilServing = backoff({ firstMs: 1_000, longestMs: 10_000, growth: 1.3 });

/** Result of a verification. */
interface Verification {
  /** Descriptions of the checks that passed. */
  passed: string[];
  /** Reason that the verification failed; omitted if it succeeded. */
  problem?: string;
  /** Additional paragraphs about the reason for a failed verification. */
  details?: string[];
  /** Score of the evaluation, if there was one. */
  evaluation?: number;
  /** ID of another client's revision that serves requests instead, so that the checks do not apply to this revision. */
  replacedBy?: string;
  /**
   * True if the time limit expired before the revision served requests, or before its checks were complete. The
   * revision may still succeed.
   */
  timedOut?: true;
}

/** Revision to verify. */
interface Subject {
  deploymentId: string;
  revisionId: string;
  /** Score of the last verified revision that has a score. */
  previousScore: number | undefined;
}

/** Result of the checks on an agent server. */
type Checked = Pick<Verification, "problem" | "details" | "evaluation" | "timedOut">;

/** Result of the rollout of one revision, including its verification. */
export interface RolloutEnd extends Settlement {
  /** The status to record: the reported one, or `VERIFY_FAILED`. */
  status?: string;
  verification?: Verification;
}

/** Verifies a `DEPLOYED` revision if requested. If the verification fails, the rollout counts as failed. */
export async function verifySettled(
  op: ControlPlaneOperation,
  { deploymentId, inputs, awaited, previous }: RolloutRequest,
  settlement: Settlement,
): Promise<RolloutEnd> {
  const { revision } = settlement;
  const wanted = awaited?.adopted ? undefined : inputs.rollout?.verify;
  if (settlement.outcome !== "deployed" || !revision || !wanted)
    return { ...settlement, status: revision?.status };
  const startedAt = op.time.clock.now();
  const verification = await verifyRevision(op, wanted, {
    deploymentId,
    revisionId: revision.id,
    previousScore: previousScore(previous?.verified),
  });
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

/** Returns the score of the current artifact or, if it has none, of the newest artifact with a score. */
function previousScore({ current, history }: VerifiedArtifacts = { history: [] }): number | undefined {
  const scores = [...(current ? [current] : []), ...history].map(
    ({ verification }) => verification.evaluation,
  );
  return scores.find((score) => score !== undefined);
}

/**
 * Checks a `DEPLOYED` revision: that it serves requests, that it is healthy, that the graph exists, that one run of the
 * graph succeeds, and that it passes the evaluation.
 */
async function verifyRevision(
  op: ControlPlaneOperation,
  wanted: VerifyInputs,
  subject: Subject,
): Promise<Verification> {
  const place = await servingPlace(op, subject.deploymentId, subject.revisionId);
  if ("problem" in place) return { passed: [], ...place, problem: limitLength(op, place.problem) };
  const passed = [place.evidence];
  const redacting = withRedaction(op, place.secrets);
  const verification = await checkPlace(redacting, wanted, place, subject, passed);
  if (verification.timedOut) return verification;
  const after = await servingPlace(op, subject.deploymentId, subject.revisionId, true);
  return "problem" in after
    ? { passed, ...after, problem: limitLength(redacting, after.problem) }
    : verification;
}

/** Runs the checks of a revision. Errors from the agent server are returned as problems with the revision. */
async function checkPlace(
  redacting: ControlPlaneOperation,
  wanted: VerifyInputs,
  place: { url: string },
  subject: Subject,
  passed: string[],
): Promise<Verification> {
  try {
    const checked = await check(redacting, wanted, place.url, subject, passed);
    const { problem } = checked;
    return { passed, ...checked, ...(problem !== undefined && { problem: limitLength(redacting, problem) }) };
  } catch (error) {
    // A problem that affects every revision is not a failed verification of this one.
    if (redacting.time.signal?.aborted || isOurs(error)) throw error;
    if (isTooLate(error)) return { passed, problem: limitLength(redacting, error.message), timedOut: true };
    const said = `the agent server at ${place.url} does not respond correctly: ${asError(error).message}`;
    return { passed, problem: limitLength(redacting, said) };
  }
}

async function check(
  op: ControlPlaneOperation,
  { ok = true, graph, run, evaluation }: VerifyInputs,
  url: string,
  subject: Subject,
  passed: string[],
): Promise<Checked> {
  const agentServer = op.plane.agentServer(url, op.report.redact);
  if (ok) {
    await retryWhileStarting(
      op,
      () => agentServer.checkHealth(),
      (error) => AgentServerError.is(error) && !isOurs(error),
    );
    passed.push("GET /ok returns 200");
  }
  if (graph !== undefined) {
    if (!(await retryWhileStarting(op, () => agentServer.assistants.hasGraph(graph), isTransient)))
      return { problem: `the agent server has no assistant for the graph "${graph}"` };
    passed.push(`graph "${graph}" exists`);
  }
  if (graph !== undefined && run) {
    const problem = await smokeRun({
      ...runContext(op, agentServer),
      graph,
      run,
      onStatus: (status) => op.report.status.show("VERIFYING", `smoke run of graph "${graph}": ${status}`),
      redact: op.report.redact,
    });
    if (problem) return problem;
    passed.push("the smoke run succeeded");
  }
  if (evaluation?.graph !== undefined && evaluation.graph !== graph) {
    const { graph: other } = evaluation;
    if (!(await retryWhileStarting(op, () => agentServer.assistants.canRun(other), isTransient)))
      return { problem: `the agent server has no assistant for the graph "${other}"` };
  }
  return evaluation ? evaluate(op, evaluation, evaluation.graph ?? graph!, agentServer, subject, passed) : {};
}

function runContext(op: ControlPlaneOperation, agentServer: AgentServerClient): RunContext {
  const { clock, deadline, signal } = op.time;
  return {
    agentServer,
    clock,
    deadline: deadline.at - cleanUpMs,
    withRetries: (ask) => retryWhileStarting(op, ask, isTransient),
    signal,
  };
}

/** Runs the evaluation of a revision, and determines whether its score is sufficient. */
async function evaluate(
  op: ControlPlaneOperation,
  evaluation: EvaluationInputs,
  graph: string,
  agentServer: AgentServerClient,
  { deploymentId, revisionId, previousScore }: Subject,
  passed: string[],
): Promise<Checked> {
  const { deadline, signal } = op.time;
  const { report } = op;
  const cases = await readCases(evaluation, op.resource.workingFolder);
  const results = await runCases({
    ...runContext(op, agentServer),
    deploymentId,
    revisionId,
    graph,
    settings: evaluation,
    cases,
    timeLimit: deadline,
    postJson: (url, request) => op.plane.postJson(url, request),
    onProgress: (text) => report.status.show("VERIFYING", `evaluation: ${text}`),
    redact: report.redact,
    warn: (text) => report.log("warning", text),
    isResumable: (error) => signal?.aborted === true || isOurs(error) || isTooLate(error),
  });
  const score = scoreOf(results);
  const counts = `${passedOf(results)} of ${results.length} cases passed`;
  if (evaluation.noWorseThan !== undefined && previousScore === undefined)
    report.log("info", "the score of the evaluation is not compared, because no previous revision has one");
  const problem = insufficiency(results, evaluation, previousScore);
  if (problem !== undefined)
    return {
      problem: `in its evaluation, ${counts}: ${problem}`,
      details: describeWorst(results, (text) => plainText(report.redact(text))),
    };
  passed.push(`${counts} in the evaluation (score ${score})`);
  return { evaluation: score };
}

/** Retries requests while a server may still be starting, because a lost connection is not a conclusive result. */
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
      op.report.status.show("VERIFYING", op.report.redact(asError(error).message));
      return undefined;
    }
  });
  if (answered) return answered.result;
  // Too little time for the server to start does not count as a failed verification.
  if (clock.now() >= deadline.at)
    throw timeoutError(
      deadline,
      `the verification could not be completed: ${asError(failure).message.replace(/\.+$/, "")}`,
    );
  throw failure;
}

/** True if the credentials are rejected, or must not be sent to this URL. */
function isOurs(error: unknown): boolean {
  return AgentServerError.is(error) && (error.isDenied || error.code === "bad_configuration");
}

function isTransient(error: unknown): boolean {
  return AgentServerError.is(error) && error.isTransient;
}

function limitLength(op: ControlPlaneOperation, text: string): string {
  return truncate(plainText(op.report.redact(text)), problemLimit);
}

/** True if the deployment exists, or if it cannot be read. */
async function deploymentExists(op: ControlPlaneOperation, deploymentId: string): Promise<boolean> {
  try {
    return await isLive(op, deploymentId);
  } catch (error) {
    if (op.time.signal?.aborted) throw error;
    return true;
  }
}

/**
 * URL at which a revision serves requests, the evidence for that, and the secrets of its deployment; or the reason that
 * the revision does not serve requests.
 */
type ServingPlace =
  | { url: string; evidence: string; secrets: string[] }
  | { problem: string; replacedBy?: string; timedOut?: true };

/**
 * Polls until the control plane reports that the deployment's URL serves this revision. If the control plane does not
 * report which revision is active, the newest `DEPLOYED` revision is considered active.
 * @param hasServed true for the poll after the checks, which confirms that the revision was not replaced during them
 */
async function servingPlace(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
  hasServed = false,
): Promise<ServingPlace> {
  const startedAt = op.time.clock.now();
  const elapsed = () => formatDuration(op.time.clock.now() - startedAt);
  let waitsFor = "";
  const place = await poll(op.time, untilServing, async () => {
    const seen = await readPlace(op, deploymentId, revisionId, hasServed);
    if (!("waitsFor" in seen)) return seen;
    waitsFor = seen.waitsFor;
    op.report.status.show("DEPLOYED", hasServed ? waitsFor : "not serving requests yet");
    return undefined;
  });
  return (
    place ?? {
      problem: `${waitsFor} ${elapsed()} after the ${hasServed ? "checks" : "rollout"}`,
      timedOut: true,
    }
  );
}

async function readPlace(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
  hasServed: boolean,
): Promise<ServingPlace | { waitsFor: string }> {
  try {
    const record = await findLive(op, deploymentId, true);
    if (!record) return { problem: "the deployment no longer exists" };
    const { active_revision_id: active, latest_revision_id: latest } = record;
    const serving = active ?? (latest === revisionId ? latest : await newestDeployed(op, deploymentId));
    if (serving && serving !== revisionId) {
      const revision = `revision ${serving}, which this update did not create,`;
      if (hasServed)
        return {
          problem: `${revision} began to serve requests during the checks, so their results may be those of that revision`,
          replacedBy: serving,
        };
      // Once a newer revision serves requests, this one does not become active again.
      if (!active || active === latest)
        return { problem: `${revision} is serving instead`, replacedBy: serving };
      return { waitsFor: `revision ${active} is still serving` };
    }
    const url = urlOf(record);
    if (!url) return { waitsFor: "the control plane reports no URL" };
    const evidence = active
      ? "the URL serves it (active_revision_id)"
      : "DEPLOYED (this control plane does not report which revision is active)";
    return { url, evidence, secrets: secretsIn(record) };
  } catch (error) {
    if (!AgentServerError.is(error) || error.isDenied) throw error;
    return { waitsFor: `the deployment cannot be read (${error.message})` };
  }
}

async function newestDeployed(op: ControlPlaneOperation, deploymentId: string): Promise<string | undefined> {
  const revisions = await op.plane.client.revisions.list(deploymentId, op.time.signal);
  return findServing(revisions, undefined)?.id;
}
