import { isBeingDeleted, type DeploymentRecord } from "../../../wire";
import { isTooLate } from "../../deadline";
import { AgentServerError } from "../../errors";
import { formatDuration } from "../../text/duration";
import { createsFirstRevision } from "../first-revision";
import type { DeploymentInputs } from "../inputs/inputs";
import type { DeploymentState } from "../state";
import { toCreateBody } from "../mapping";
import { findExisting, knownDeployment } from "../ownership/claim-deployment";
import { createTag, reportedTag } from "../ownership/tag";
import { adoptDeployment, type Existing } from "./adopt";
import { finishCreate, countRevisionsOfCreate } from "./finish-create";
import { findIdentified, isIdentifiedBy, titleOf } from "../inputs/identity";
import { placedInputs } from "./placement";
import { reportLeftovers } from "./leftovers";
import { backoff, poll } from "../../resource/poll";
import { refuseUnknownFields } from "./dialect-fields";
import { claim } from "../../resource/ownership/claim";
import { sendOrDetect } from "../../resource/write";
import { isAboutIdentity } from "../rules/identity-rules";
import { nameConflict, predecessorConflict } from "./name-conflict";
import type { ControlPlaneOperation, Result } from "../../resource/operation";
import { finishRollout } from "../rollout/finish";
import { findLive } from "../ownership/find-deployment";

const whileNameIsHeld = backoff({ firstMs: 5_000, longestMs: 30_000, growth: 1.5 });

/**
 * Creates the deployment and waits for its first revision. Resumes an interrupted create of this resource, and adopts
 * an existing deployment with this name if `adopt` allows it.
 * @param predecessor the deployment to be replaced, if it still exists
 * @param pending deployments in state that are pending deletion after an earlier replacement
 */
export async function createDeployment(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  predecessor?: string,
  pending: readonly string[] = [],
): Promise<Result<DeploymentState>> {
  refuseUnknownFields(op, inputs);
  const old = predecessor === undefined ? undefined : await findLive(op, predecessor);
  // A deployment that cannot be deleted afterward is not replaced.
  if (old) claim(op.report, "update", knownDeployment(op.resource, old));
  if (old && isIdentifiedBy(inputs, old)) throw predecessorConflict(inputs, old);
  const found = await findByIdentity(op, inputs, false);
  const kept = found.find(({ id }) => pending.includes(id));
  const existing = kept
    ? keepDeployment(op, inputs, kept)
    : await claimExisting(op, inputs, found, inputs.adopt);
  if (existing) return adoptDeployment(op, inputs, existing);
  await reportLeftovers(op, inputs, predecessor === undefined ? pending : [predecessor, ...pending]);
  const created = await post(op, inputs, await placedInputs(op, inputs));
  if ("isOwn" in created) return adoptDeployment(op, inputs, created);
  const first = created.record.latest_revision_id ?? undefined;
  const isFirstMade = first !== undefined || createsFirstRevision(op.plane.dialect.table, inputs.source);
  const finished = await finishCreate(op, created.record, inputs);
  return finishRollout(op, {
    deploymentId: created.record.id,
    inputs: finished.inputs,
    latestRevisionId: finished.createdIds.at(-1) ?? first,
    awaited: finished.createdId ?? (isFirstMade ? { id: first } : undefined),
    ownRevisionIds: [...(first === undefined ? [] : [first]), ...finished.createdIds],
    unfinished: finished.unfinished,
    wait: inputs.rollout?.wait !== false,
  });
}

/** Keeps a deployment that a replacement was about to delete, because the program needs it again. */
function keepDeployment(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
): Existing {
  claim(op.report, "update", knownDeployment(op.resource, record), inputs.adopt);
  op.report.log("info", `Deployment ${record.id} no longer needs to be replaced, so it is kept.`);
  return { record, isOwn: true, isKept: true };
}

/** Deployment that a create continues with after the POST: either the one that the POST created, or one to adopt. */
type PostResult = { record: DeploymentRecord } | Existing;

/** Sends the POST, and retries it as long as a deployment that is being deleted still uses the name. */
async function post(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  placed: DeploymentInputs,
): Promise<PostResult> {
  const { client, dialect } = op.plane;
  const lostReplies = { count: 0 };
  let refusal: AgentServerError | undefined;
  const tag = createTag(op, {
    revisions: countRevisionsOfCreate(dialect, inputs),
    plain: inputs.environmentVariables,
  });
  const body = toCreateBody(placed, tag, dialect);
  const checkExisting = () => findAfterPost(op, inputs, lostReplies.count > 0 ? tag : undefined);
  const send = () =>
    sendOrDetect<PostResult | AgentServerError>(op.time, {
      send: async () => {
        try {
          return { record: await client.deployments.create(body, op.time.signal) };
        } catch (error) {
          if (!AgentServerError.is(error) || !error.isConflict) throw error;
          return error;
        }
      },
      check: checkExisting,
      // Control planes do not assign a name twice.
      isRepeatable: true,
      lostReplies,
      onLost: ({ message }) =>
        op.report.log(
          "warning",
          `The response to the request to create deployment ${titleOf(inputs)} was lost, so existing deployments are checked first. (${message})`,
        ),
    });
  const posted = await poll(op.time, whileNameIsHeld, async () => {
    const answer = await send().catch((late: unknown) => {
      // The last attempt was too late to be sent, so the conflict that an earlier attempt encountered is reported.
      if (!refusal || !isTooLate(late)) throw late;
      return refusal;
    });
    if (!AgentServerError.is(answer)) return answer;
    refusal = answer;
    const existing = await checkExisting();
    if (!existing) await refuseUnlessHeld(op, inputs, refusal);
    return existing;
  });
  if (posted) return posted;
  throw nameConflict(inputs, refusal!);
}

/**
 * Finds the existing deployment after a POST without a usable response. The POST created the deployment only if it has
 * exactly the tag that the POST sent. Any other deployment was created by a concurrent run, and is adopted only with
 * `adopt: "always"`.
 * @param sentTag undefined if no response was lost, which means that the control plane rejected the POST and created
 * nothing
 */
async function findAfterPost(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  sentTag: string | undefined,
): Promise<PostResult | undefined> {
  const found = await findByIdentity(op, inputs, true);
  const created = found.find((record) => sentTag !== undefined && reportedTag(record) === sentTag);
  if (created) return { record: created };
  return claimExisting(op, inputs, found, inputs.adopt === "always" ? "always" : "never");
}

/**
 * Claims the existing deployment that a create conflicts with; returns `undefined` if there is none.
 * @throws AgentServerError `name_conflict` if this resource must not adopt the deployment
 */
async function claimExisting(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  found: readonly DeploymentRecord[],
  adopt: DeploymentInputs["adopt"],
): Promise<Existing | undefined> {
  const { client } = op.plane;
  const one = await findExisting(found, inputs, op.resource.ownerId, async ({ id }) => {
    return (await client.revisions.list(id, op.time.signal)).length;
  });
  if (one?.existing.owner === "this" && adopt !== inputs.adopt && inputs.adopt !== "never")
    one.existing.hint =
      "Another run of this stack created it in the meantime. To resume that create, run the command again.";
  return one && { record: one.record, isOwn: claim(op.report, "create", one.existing, adopt) === "resume" };
}

async function findByIdentity(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  isFresh: boolean,
): Promise<DeploymentRecord[]> {
  const found = await findIdentified(op.plane, inputs, isFresh);
  return found.filter((record) => !isBeingDeleted(record));
}

/**
 * Displays the status if the control plane rejected a create because a deployment that is being deleted still uses the
 * name or the agent.
 * @throws AgentServerError if waiting does not help, for example because of an orphaned tracing project
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
  if (/tracing project/i.test(detail)) throw nameConflict(inputs, refusal);
  const left = Math.max(0, op.time.deadline.at - op.time.clock.now());
  op.report.status.show(
    "name is in use",
    `waiting up to ${formatDuration(left)} for a deleted deployment to release it`,
  );
}
