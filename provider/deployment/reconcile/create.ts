import type { DeploymentRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import { formatDuration } from "../../resource/duration";
import { makesFirstRevision } from "../first-revision";
import type { DeploymentInputs } from "../inputs/inputs";
import type { DeploymentState } from "../state";
import { toCreateBody } from "../mapping";
import { isAbandoned, isCutOffCreate, isMadeSince } from "../ownership/interrupted-create";
import { ownerOf, ownTag } from "../ownership/tag";
import { adoptDeployment, type Existing } from "./adopt";
import { finishCreate, revisionsOfCreate } from "./finish-create";
import { findIdentified, isIdentifiedBy, titleOf } from "../inputs/identity";
import { placedInputs } from "./placement";
import { reportLeftovers } from "./leftovers";
import { refuseLate, backoff, poll } from "../../resource/poll";
import { refuseUnknownFields } from "./dialect-fields";
import { sendOrDetect, type LostReplies } from "../../resource/write";
import { isAboutIdentity } from "../rules/identity-rules";
import { nameConflict, nameHeld, nameOfPredecessor } from "./name-conflict";
import type { ControlPlaneOperation, Result } from "../../resource/operation";
import { finishRollout } from "../rollout/finish";
import { findLive, isBeingDeleted, refuseForeignOwner } from "../ownership/find-deployment";

const whileNameIsHeld = backoff({ firstMs: 5_000, longestMs: 30_000, growth: 1.5 });

/**
 * Makes the deployment and waits for its first revision. A deployment of this name that carries this resource's
 * ownership tag, from a create that did not come to its end, is resumed; any other is a conflict unless `adopt` allows
 * it.
 * @param predecessor the deployment that is replaced by this one, where it is still there
 */
export async function createDeployment(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  predecessor?: string,
): Promise<Result<DeploymentState>> {
  refuseUnknownFields(op, inputs);
  const old = predecessor === undefined ? undefined : await findLive(op, predecessor);
  // What could not be deleted after it is not replaced in the first place.
  if (old) refuseForeignOwner(op, old, "replaced");
  if (old && isIdentifiedBy(inputs, old)) throw nameOfPredecessor(inputs, old);
  const existing = await lookUp(op, inputs, false);
  if (existing) return adoptDeployment(op, inputs, existing);
  await reportLeftovers(op, inputs, predecessor);
  const made = await post(op, inputs, await placedInputs(op, inputs));
  if ("isOwn" in made) return adoptDeployment(op, inputs, made);
  const first = made.record.latest_revision_id ?? undefined;
  const isFirstMade = first !== undefined || makesFirstRevision(op.plane.dialect.table, inputs.source);
  const finished = await finishCreate(op, made.record, inputs);
  return finishRollout(op, {
    deploymentId: made.record.id,
    inputs: finished.inputs,
    latestRevisionId: finished.made?.id ?? first,
    awaited: finished.made ?? (isFirstMade ? { id: first } : undefined),
    unfinished: finished.unfinished,
    wait: inputs.rollout?.wait !== false,
  });
}

/** The deployment after a POST: the one that it made, or one that is to be adopted. */
type Posted = { record: DeploymentRecord } | Existing;

/** Sends the POST, and once more after each pause while something that may go holds the name. */
async function post(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  placed: DeploymentInputs,
): Promise<Posted> {
  refuseLate(op.time, `deployment ${titleOf(inputs)} was not created`);
  let refusal: AgentServerError | undefined;
  const lostReplies = { count: 0 };
  const since = op.time.clock.now();
  const posted = await poll(op.time, whileNameIsHeld, async () => {
    const answer = await postOnce(op, inputs, placed, lostReplies, since);
    if (!("refusal" in answer)) return answer;
    refusal = answer.refusal;
    const left = await lookUpAfterPost(op, inputs, since);
    if (!left) await refuseUnlessHeld(op, inputs, refusal);
    return left;
  });
  if (posted) return posted;
  throw nameHeld(inputs, refusal!);
}

/** The answer to a POST: what came of it, or the conflict that the control plane sees. */
type Answered = Posted | { refusal: AgentServerError };

/** @param placed the inputs with the listener that is chosen by itself */
function postOnce(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  placed: DeploymentInputs,
  lostReplies: LostReplies,
  since: number,
): Promise<Answered> {
  const body = toCreateBody(
    placed,
    ownTag(op, undefined, revisionsOfCreate(op.plane.dialect, inputs)),
    op.plane.dialect,
  );
  return sendOrDetect<Answered>(op.time, {
    send: async () => {
      try {
        return { record: await op.plane.client.deployments.create(body, op.time.signal) };
      } catch (error) {
        if (!AgentServerError.is(error) || !error.isConflict) throw error;
        return { refusal: error };
      }
    },
    look: () => lookUpAfterPost(op, inputs, since),
    // A name is given once.
    isRepeatable: true,
    lostReplies,
    onLost: ({ message }) =>
      op.report.log(
        "warning",
        `The reply to the create of deployment ${titleOf(inputs)} was lost, so what is there is checked first. (${message})`,
      ),
  });
}

/**
 * What is there after a POST without an answer of use. There was none with this resource's ownership tag before, so one
 * that carries it now is what the POST made, whatever `adopt` says.
 */
async function lookUpAfterPost(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  since: number,
): Promise<Posted | undefined> {
  const made = (await liveByName(op, inputs, true)).find(
    (record) => ownerOf(record) === op.resource.ownerId || isMadeSince(record, inputs, since),
  );
  return made ? { record: made } : lookUp(op, inputs, true);
}

/** The deployment of this name that may be adopted. Throws when there is one that may not. */
async function lookUp(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  isFresh: boolean,
): Promise<Existing | undefined> {
  const adopt = inputs.adopt ?? "ifOwned";
  const found = await liveByName(op, inputs, isFresh);
  const ours = found.find((record) => ownerOf(record) === op.resource.ownerId);
  if (ours && adopt !== "never" && (await isCutOffCreate(op.plane.client, ours, op.time.signal)))
    return { record: ours, isOwn: true };
  const record = ours ?? found[0];
  if (!record) return undefined;
  if (adopt !== "never" && isAbandoned(record, inputs, op.time.clock)) return { record, isOwn: true };
  if (adopt !== "always") throw nameConflict(op, inputs, record);
  return { record, isOwn: false };
}

async function liveByName(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  isFresh: boolean,
): Promise<DeploymentRecord[]> {
  const found = await findIdentified(op.plane, inputs, isFresh);
  return found.filter((record) => !isBeingDeleted(record));
}

/**
 * A deleted deployment keeps its name, or its agent, for a while, a leftover tracing project for ever.
 * @throws AgentServerError where waiting does not help
 */
async function refuseUnlessHeld(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  refusal: AgentServerError,
): Promise<void> {
  const { detail = "" } = refusal.facts;
  const isHeld =
    isAboutIdentity(detail, inputs) || (await findIdentified(op.plane, inputs, true)).some(isBeingDeleted);
  if (!isHeld) throw refusal;
  if (/tracing project/i.test(detail)) throw nameHeld(inputs, refusal);
  const left = Math.max(0, op.time.deadline.at - op.time.clock.now());
  op.report.status.show(
    "name is held",
    `${formatDuration(left)} left for a deleted deployment to release it`,
  );
}
