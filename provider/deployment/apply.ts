import {
  makesRevision,
  type DeploymentRecord,
  type PatchDeploymentBody,
  type RevisionRecord,
  formatTag,
} from "../../wire";
import { AgentServerError, asError } from "../errors";
import type { ControlPlaneOperation } from "../resource/operation";
import { poll } from "../resource/poll";
import { sendOrDetect, visibilityRetry } from "../resource/write";
import { environmentFor, isBuiltFrom, isInEffect, type Current } from "./current";
import { hasVariables } from "./environment";
import { createsFirstRevision } from "./first-revision";
import type { Variables } from "./inputs/environment";
import type { DeploymentInputs, SourceRevisionConfigInputs } from "./inputs/inputs";
import { settingsFromWire, settingsToWire, type SettingInputs } from "./inputs/settings";
import { type DeploymentPatch, toPatchBody } from "./mapping";
import { claim } from "../resource/ownership/claim";
import { knownDeployment } from "./ownership/claim-deployment";
import { findLive } from "./ownership/find-deployment";
import {
  foreignTag,
  describeHolder,
  isTagged,
  ownerOf,
  createTag,
  tagOf,
  triggersHash,
} from "./ownership/tag";
import type { DeploymentPlan } from "./plan/plan";
import type { AwaitedRevision } from "./rollout/awaited";
import { findKeepingSource, foreignRevision, newerOrNewest } from "./rollout/foreign-revisions";
import { uploadSource, type Uploaded } from "./source/upload";

/** A planned change to a deployment. */
export interface Change {
  record: DeploymentRecord;
  current: Current;
  inputs: DeploymentInputs;
  plan: Pick<DeploymentPlan, "patch" | "tiers">;
  /** Number of revisions that interrupted creates of this resource have created; stored in the ownership tag. */
  creates?: number;
}

/** The part of a change that the control plane has accepted. */
export interface AppliedChange {
  inputs: DeploymentInputs;
  /** The last revision that the change created, if any. */
  createdId?: AwaitedRevision;
  /** IDs of all known revisions that the change created. */
  createdIds: string[];
  /** Reason that the rest of the change was not accepted. */
  unfinished?: Error;
}

/**
 * Executes the steps of a plan in order. If a later step fails, the changes made by the first step are kept.
 * @throws AgentServerError if nothing was changed
 */
export async function apply(op: ControlPlaneOperation, change: Change): Promise<AppliedChange> {
  const { record, current, inputs } = change;
  const { patch, tiers } = change.plan;
  const made: AwaitedRevision[] = [];
  let unfinished: Error | undefined;
  let accepted = inputs;
  if (patch) {
    const { first, revision } = separateRevision(op, change, patch);
    const sent = await sendPatch(op, change, first);
    if (sent) made.push({ ...sent, ...(!first.sourceRevisionConfig && { keepsSource: true }) });
    if (patch.environment === "required" && ownerOf(record) !== op.resource.ownerId)
      unfinished = await missingTag(op, record.id).catch(asError);
    if (revision)
      try {
        made.push((await sendPatch(op, change, revision))!);
      } catch (error) {
        unfinished ??= asError(error);
        const { sourceRevisionConfig, rollout } = current.before;
        accepted = {
          ...inputs,
          sourceRevisionConfig,
          ...(inputs.rollout && { rollout: { ...inputs.rollout, triggers: rollout?.triggers } }),
        };
      }
  }
  if (tiers)
    try {
      made.push({ ...(await resize(op, change, tiers)), keepsSource: true });
    } catch (error) {
      if (!patch) throw error;
      unfinished ??= asError(error);
      const earlier = current.before as Record<string, unknown>;
      accepted = {
        ...accepted,
        ...Object.fromEntries(Object.keys(tiers).map((tier) => [tier, earlier[tier]])),
      };
    }
  return {
    inputs: accepted,
    createdIds: made.flatMap(({ id }) => id ?? []),
    ...(made.length > 0 && { createdId: made.at(-1)! }),
    ...(unfinished && { unfinished }),
  };
}

/**
 * Splits a patch that requires a new revision if its PATCH request would not create one. A separate request, which
 * accepts no settings, then creates the revision.
 */
function separateRevision(
  op: ControlPlaneOperation,
  change: Change,
  patch: DeploymentPatch,
): { first: DeploymentPatch; revision?: DeploymentPatch } {
  const { sourceRevisionConfig, ...first } = patch;
  const isPatched = first.sourceConfig !== undefined || first.settings !== undefined;
  // An upload always creates a revision.
  if (!isPatched || !sourceRevisionConfig || sourceRevisionConfig.folder !== undefined)
    return { first: patch };
  const { body } = completePatch(op, change, patch, change.record);
  if (makesRevision(op.plane.dialect.table, body)) return { first: patch };
  return { first, revision: { sourceRevisionConfig } };
}

/** Body of a planned PATCH, completed with current values immediately before it is sent. */
interface CompletedPatch {
  body: PatchDeploymentBody;
  environment?: Variables;
  tag: string;
}

/**
 * Sends the PATCH of the deployment, and finds the revision that it creates, if any. An upload is sent first. The
 * deployment is read again immediately before each attempt, because others may have changed or adopted it since the
 * plan was made, and because the environment is sent as a whole.
 */
async function sendPatch(
  op: ControlPlaneOperation,
  change: Change,
  patch: DeploymentPatch,
): Promise<AwaitedRevision | undefined> {
  const { id } = change.record;
  const { client, dialect } = op.plane;
  const { signal } = op.time;
  // Fails before the upload if the environment cannot be sent.
  completePatch(op, change, patch, change.record);
  const uploaded = await uploadSource(op, id, patch.sourceRevisionConfig ?? {});
  let sent = completePatch(op, change, patch, change.record, uploaded);
  let before = change.record;
  let attempts = 0;
  // If nothing in the body creates the desired revision, it has to be requested separately.
  const isAsked = patch.sourceRevisionConfig !== undefined && !makesRevision(dialect.table, sent.body);
  const send = async (): Promise<AwaitedRevision> => {
    attempts += 1;
    const prepare = async () => {
      const record = await readAgain(op, change);
      // A revision that an earlier attempt created is newer than the record read before that attempt.
      if (attempts === 1) before = record;
      sent = completePatch(op, change, patch, record, uploaded);
      return sent.body;
    };
    const reported = isAsked
      ? (await client.revisions.create(id, prepare, signal)).id
      : (await client.deployments.patch(id, prepare, signal))?.latest_revision_id;
    if (!createsRevision(sent)) return {};
    return revisionAfter(op, before, reported, async () => {
      return (await findBuilt(op, before, patch.sourceRevisionConfig, uploaded))?.id;
    });
  };
  const createsRevision = ({ body }: CompletedPatch) =>
    patch.sourceRevisionConfig !== undefined || makesRevision(dialect.table, body);
  const result = await sendOnce(op, `the change to deployment ${id}`, send, async () => {
    if (!createsRevision(sent))
      return (await hasTakenEffect(op, change, patch, sent, false)) ? {} : undefined;
    const found = await findCreated(op, before, change, patch, sent, uploaded);
    return found === undefined ? undefined : { id: found };
  });
  return createsRevision(sent) ? result : undefined;
}

/**
 * Returns the body of a PATCH, including the ownership tag and the environment to send. The environment is based on the
 * current record.
 * @throws AgentServerError `bad_configuration` if the environment is required, but the server does not report all
 * variables that must be kept
 */
function completePatch(
  op: ControlPlaneOperation,
  { current, inputs, creates = 1 }: Change,
  patch: DeploymentPatch,
  record: DeploymentRecord,
  uploaded?: Uploaded,
): CompletedPatch {
  const { dialect } = op.plane;
  const environment = patch.environment && environmentFor(inputs, current, record, dialect);
  if (patch.environment === "required" && !environment) throw incompleteEnvironment(op, record);
  const plain = inputs.environmentVariables;
  const triggers = triggersHash(inputs.rollout?.triggers, current.observed?.knownRevisionId);
  const tag = createTag(op, { record, revisions: creates, plain, uploaded, triggers });
  return { body: toPatchBody(patch, dialect, { environment, tag, uploaded }), environment, tag };
}

/** Returns the error for an environment that cannot be sent, because the server does not report all variables in it. */
export function incompleteEnvironment(
  { resource }: ControlPlaneOperation,
  record: DeploymentRecord,
): AgentServerError {
  const what =
    ownerOf(record) === resource.ownerId
      ? `The plain variables of deployment ${record.id} cannot be changed separately`
      : `The ownership tag of deployment ${record.id} cannot be written`;
  const why =
    isTagged(record) === false
      ? "without an ownership tag, it is not certain that the control plane returns the values of the other variables; those that it does not return would be lost"
      : "the control plane does not return the values of the other variables, which would be lost";
  return new AgentServerError(
    "bad_configuration",
    `${what}: the environment can only be sent as a whole, and ${why}. Declare \`secrets\` as well. Nothing was changed.`,
    { deploymentId: record.id },
  );
}

/** Rereads a deployment that may have changed since the plan was made. */
export async function readAgain(
  op: ControlPlaneOperation,
  { record: seen, inputs }: Pick<Change, "record" | "inputs">,
): Promise<DeploymentRecord> {
  const record = await findOwn(op, seen.id, inputs);
  // The first revision belongs to the deployment, even if the server reports it later.
  const isFirst = !seen.latest_revision_id && createsFirstRevision(op.plane.dialect.table, inputs.source);
  const isForeign = !isFirst && record.latest_revision_id !== seen.latest_revision_id;
  if (inputs.rollout?.onConflict === "fail" && isForeign)
    throw foreignRevision(record, seen.latest_revision_id);
  return record;
}

/** Rereads a deployment before a change is sent to it, because another resource may have adopted it in the meantime. */
async function findOwn(
  op: ControlPlaneOperation,
  id: string,
  { adopt }: DeploymentInputs,
): Promise<DeploymentRecord> {
  const record = await findLive(op, id);
  if (!record) throw deletedError(id);
  if (adopt !== "always") claim(op.report, "update", knownDeployment(op.resource, record));
  return record;
}

/**
 * Changes the sizes of a deployment in a separate request. This creates another revision, after the one that contains
 * the other changes.
 */
async function resize(
  op: ControlPlaneOperation,
  change: Change,
  tiers: SettingInputs,
): Promise<AwaitedRevision> {
  const { id } = change.record;
  const { client } = op.plane;
  let before!: DeploymentRecord;
  let attempts = 0;
  const prepare = async () => {
    // The first step may have created a newer revision.
    const record = await (change.plan.patch ? findOwn(op, id, change.inputs) : readAgain(op, change));
    if (attempts === 1) before = record;
    return settingsToWire(tiers);
  };
  return sendOnce(
    op,
    `the change to the resource tiers of deployment ${id}`,
    async () => {
      attempts += 1;
      const resized = await client.deployments.resize(id, prepare, op.time.signal);
      return revisionAfter(op, before, resized?.latest_revision_id, () => findKeepingSource(op, before));
    },
    async () => {
      const record = await findLive(op, id);
      const made = record && hasTiers(record, tiers) ? await findKeepingSource(op, before) : undefined;
      return made === undefined ? undefined : { id: made };
    },
  );
}

/** True if the deployment reports these sizes; sizes that it does not report are ignored. */
function hasTiers(record: DeploymentRecord, tiers: SettingInputs): boolean {
  const reported: Record<string, unknown> = settingsFromWire(record);
  return Object.entries(tiers).every(([tier, size]) => [size, undefined].includes(reported[tier] as string));
}

function deletedError(deploymentId: string): AgentServerError {
  return new AgentServerError(
    "deployment_gone",
    `Deployment ${deploymentId} was deleted during the update. Run \`pulumi refresh\` and then \`pulumi up\` to recreate it.`,
    { deploymentId },
  );
}

/**
 * Sends a request that must take effect no more than once.
 * @param what description of the change in messages, for example `the change to deployment d-1`
 */
export function sendOnce<Taken>(
  op: ControlPlaneOperation,
  what: string,
  send: () => Promise<Taken>,
  check: () => Promise<Taken | undefined>,
): Promise<Taken> {
  return sendOrDetect(op.time, {
    send,
    check,
    onLost: ({ message }) =>
      op.report.log(
        "warning",
        `The response to ${what} was lost, so the current state is checked first. (${message})`,
      ),
    onNothing: () => op.report.status.show("a response was lost", "checking whether the request took effect"),
  });
}

/**
 * Returns the revision that a change has created since `before`, or the reason that no new revision was found. The
 * server has accepted the change, so a missing revision is not an error.
 * @param reported the newest revision in the response to the change
 * @param find returns a newer revision that the change may have created; others may have created newer revisions as
 * well
 */
export async function revisionAfter(
  op: ControlPlaneOperation,
  before: DeploymentRecord,
  reported: string | null | undefined,
  find: () => Promise<string | undefined>,
): Promise<AwaitedRevision> {
  if (reported && reported !== before.latest_revision_id) return { id: reported };
  const { clock, signal } = op.time;
  try {
    // The change was made in time, so the revision is looked up even after the deadline.
    const seen = await poll({ clock, signal }, visibilityRetry, async () => {
      const latest = (await findLive(op, before.id))?.latest_revision_id;
      const id = latest && latest !== before.latest_revision_id ? await find() : undefined;
      return id === undefined ? undefined : { id };
    });
    if (seen) return seen;
  } catch (error) {
    return { missingReason: asError(error) };
  }
  const missingReason = new AgentServerError(
    "unexpected_response",
    `The control plane accepted the change to deployment ${before.id}, but no new revision was found.`,
    { deploymentId: before.id },
  );
  return { missingReason };
}

/**
 * Returns the ID of the oldest revision that is newer than the record `before` and that the patch may have created. If
 * it is unclear which revisions are newer, only the newest one qualifies.
 */
async function findCreated(
  op: ControlPlaneOperation,
  before: DeploymentRecord,
  change: Change,
  patch: DeploymentPatch,
  sent: CompletedPatch,
  uploaded: Uploaded | undefined,
): Promise<string | undefined> {
  const { sourceRevisionConfig } = patch;
  const { id, source_revision_config: source } =
    (await findBuilt(op, before, sourceRevisionConfig, uploaded)) ?? {};
  // A revision without a source that identifies it belongs to this resource if the deployment has the values that were
  // sent with it.
  const isCertain = uploaded ? source?.source_tarball_path != null : sourceRevisionConfig !== undefined;
  return id === undefined || isCertain || (await hasTakenEffect(op, change, patch, sent, true))
    ? id
    : undefined;
}

async function findBuilt(
  op: ControlPlaneOperation,
  before: DeploymentRecord,
  sourceRevisionConfig: SourceRevisionConfigInputs | undefined,
  uploaded: Uploaded | undefined,
): Promise<Partial<RevisionRecord> | undefined> {
  if (!sourceRevisionConfig) return { id: await findKeepingSource(op, before) };
  const newer = await newerOrNewest(op, before.id, before.latest_revision_id);
  return newer.findLast(({ source_revision_config: source }) => {
    if (uploaded) return [uploaded.objectPath as unknown, undefined].includes(source?.source_tarball_path);
    const record = { id: before.id, source_revision_config: source };
    return isBuiltFrom(record, { sourceRevisionConfig }, { anyBranch: true, unreported: true });
  });
}

/**
 * True if the deployment has all values that were sent, including the ownership tag.
 * @param unreported result for values that the server does not report
 */
async function hasTakenEffect(
  op: ControlPlaneOperation,
  { record: { id }, current, inputs }: Change,
  patch: DeploymentPatch,
  { environment, tag }: CompletedPatch,
  unreported: boolean,
): Promise<boolean> {
  const record = await findLive(op, id);
  if (!record) return false;
  const now = { ...current, observed: { ...current.observed!, record } };
  const paths = [
    ...Object.keys(patch.sourceConfig ?? {}).map((field) => `sourceConfig.${field}`),
    ...Object.keys(patch.settings ?? {}),
  ];
  if (!paths.every((path) => isInEffect(path, inputs, now, op.plane.dialect, unreported))) return false;
  const found = tagOf(record);
  if (!environment || (!found && unreported)) return true;
  return found !== undefined && formatTag(found) === tag && hasVariables(record, environment);
}

/**
 * Returns an error if a deployment does not have the ownership tag that this resource has just written. Reads the
 * deployment several times, because servers may report the tag only after a delay.
 */
async function missingTag(op: ControlPlaneOperation, id: string): Promise<Error | undefined> {
  const { clock, signal } = op.time;
  let missing: AgentServerError | undefined;
  await poll({ clock, signal }, visibilityRetry, async () => {
    const record = await findLive(op, id);
    const other = record && foreignTag(op.resource, record);
    if (!record || !(other ?? isTagged(record) === false)) {
      missing = undefined;
      return true;
    }
    const owner = other ? `is owned by ${describeHolder(other)}` : "has none";
    missing = new AgentServerError(
      "name_conflict",
      `The ownership tag of deployment ${id} was written, but the deployment ${owner}.`,
      { deploymentId: id },
    );
    return undefined;
  });
  return missing;
}
