import { isSameJson } from "../resource/inputs/json";
import { makesRevision, type DeploymentRecord, type RevisionRecord } from "../../wire";
import { AgentServerError, asError } from "../errors";
import { toPatchBody } from "./mapping";
import type { WholePatch } from "./plan/plan";
import { settingsFromWire, settingsToWire, type SettingInputs } from "./inputs/settings";
import { asRecorded, type Comparison } from "./drift";
import { ownTag, tagOf, writtenTag } from "./ownership/tag";
import { sendOrDetect, visibilityRetry } from "../resource/write";
import { poll } from "../resource/poll";
import type { ControlPlaneOperation } from "../resource/operation";
import { newerOrNewest } from "./rollout/newer-revisions";
import { findLive } from "./ownership/find-deployment";
import { withUpload } from "./source/upload";
import type { AwaitedRevision } from "./rollout/awaited";

/** What a PATCH that was taken came to. */
export interface Patched {
  /** The revision that it made, if it made one. */
  made?: AwaitedRevision;
}

/**
 * Sends one PATCH and finds the revision that it made, if it was to make one. A lost reply is followed by looks: a
 * revision that is new since `before` and has the wanted source is ours; a change without a revision has been made when
 * the deployment has what it asks for.
 */
export async function writePatch(
  op: ControlPlaneOperation,
  before: DeploymentRecord,
  patch: WholePatch,
  wantsRevision: boolean,
  tag = ownTag(op, before),
): Promise<Patched> {
  const { tiers, ...others } = patch;
  if (!tiers) return writeDeployment(op, before, patch, wantsRevision, tag);
  if (Object.keys(others).length > 0)
    await writeDeployment(
      op,
      before,
      others,
      wantsRevision && others.sourceRevisionConfig !== undefined,
      tag,
    );
  return writeTiers(op, before.id, tiers);
}

/** The PATCH of the deployment itself, after the upload of its source where that is on this machine. */
async function writeDeployment(
  op: ControlPlaneOperation,
  before: DeploymentRecord,
  planned: WholePatch,
  wantsRevision: boolean,
  ownTag: string,
): Promise<Patched> {
  const { patch, tag } = await withUpload(op, before.id, planned, ownTag);
  const body = toPatchBody(patch, tag, op.plane.dialect);
  const revises = makesRevision(op.plane.dialect.table, body);
  const newRevision = wantsRevision || revises;
  const unchanged = before.latest_revision_id ?? undefined;
  const send = async (): Promise<Patched> => {
    // Where nothing in the body makes the revision that is wanted, it has to be asked for by itself.
    const reported =
      wantsRevision && !revises
        ? (await op.plane.client.revisions.create(before.id, body, op.time.signal)).id
        : (await op.plane.client.deployments.patch(before.id, body, op.time.signal))?.latest_revision_id;
    if (reported && reported !== unchanged && newRevision) return { made: { id: reported } };
    return newRevision ? { made: await revisionAfter(op, before) } : {};
  };
  return sendOnce(op, `the change of deployment ${before.id}`, send, async () => {
    if (!newRevision) return (await isInForce(op, before.id, patch, tag)) ? {} : undefined;
    const made = await findMade(op, before, patch);
    return made ? { made: { id: made } } : undefined;
  });
}

/** Resizes the deployment part by part, which rolls out a revision of its own, after that of the other changes. */
async function writeTiers(op: ControlPlaneOperation, id: string, tiers: SettingInputs): Promise<Patched> {
  const before = await findLive(op, id);
  if (!before) return { made: { unseen: goneMeanwhile(id) } };
  const resized = async (record: DeploymentRecord | undefined): Promise<Patched> =>
    record?.latest_revision_id && record.latest_revision_id !== before.latest_revision_id
      ? { made: { id: record.latest_revision_id } }
      : { made: await revisionAfter(op, before) };
  return sendOnce(
    op,
    `the change of the resource tiers of deployment ${id}`,
    async () => resized(await op.plane.client.deployments.resize(id, settingsToWire(tiers), op.time.signal)),
    async () => {
      const record = await findLive(op, id);
      const isTaken =
        record !== undefined &&
        isSameJson(settingsFromWire(record), { ...settingsFromWire(record), ...tiers });
      return isTaken && record.latest_revision_id !== before.latest_revision_id ? resized(record) : undefined;
    },
  );
}

function goneMeanwhile(deploymentId: string): AgentServerError {
  return new AgentServerError(
    "deployment_gone",
    `Deployment ${deploymentId} was deleted while it was changed. Run \`pulumi refresh\` and then \`pulumi up\` to create it again.`,
    { deploymentId },
  );
}

/**
 * Sends what would be done twice if it was sent again.
 * @param what it is, for example `the change of deployment d-1`
 */
export function sendOnce<Taken>(
  op: ControlPlaneOperation,
  what: string,
  send: () => Promise<Taken>,
  look: () => Promise<Taken | undefined>,
): Promise<Taken> {
  return sendOrDetect(op.time, {
    send,
    look,
    onLost: ({ message }) =>
      op.report.log(
        "warning",
        `The reply to ${what} was lost, so what is there is checked first. (${message})`,
      ),
    onNothing: () => op.report.status.show("a reply was lost", "checking whether it was carried out"),
  });
}

/** The revision that is new since `before`. The change was taken, so not to see it must not lose it. */
export async function revisionAfter(
  op: ControlPlaneOperation,
  before: DeploymentRecord,
): Promise<AwaitedRevision> {
  const { clock, signal } = op.time;
  try {
    // The change was made in time, so it is looked for whether or not the time is over since.
    const seen = await poll({ clock, signal }, visibilityRetry, async () => {
      const latest = (await findLive(op, before.id))?.latest_revision_id;
      return latest && latest !== before.latest_revision_id ? { id: latest } : undefined;
    });
    if (seen) return seen;
  } catch (error) {
    return { unseen: asError(error) };
  }
  const unseen = new AgentServerError(
    "unexpected_answer",
    `The control plane accepted the change of deployment ${before.id}, but no new revision of it can be found.`,
    { deploymentId: before.id },
  );
  return { unseen };
}

/**
 * The oldest revision that is newer than all of before and has the source that the patch asks for. Where it cannot be
 * said which ones are newer, the newest alone comes into question.
 */
async function findMade(
  op: ControlPlaneOperation,
  before: DeploymentRecord,
  patch: WholePatch,
): Promise<string | undefined> {
  const newer = await newerOrNewest(op, before.id, before.latest_revision_id);
  const wanted = patch.sourceRevisionConfig ?? {};
  const { objectPath } = patch.uploaded ?? {};
  if (objectPath !== undefined) {
    const isOurs = (made: RevisionRecord) => made.source_revision_config?.source_tarball_path === objectPath;
    return newer.findLast(isOurs)?.id;
  }
  const ours = newer.filter((revision) => {
    const probe = { name: "", source: "", sourceConfig: {}, sourceRevisionConfig: wanted };
    const recorded = asRecorded(probe, {
      id: before.id,
      source_revision_config: revision.source_revision_config,
    });
    return isSameJson(recorded.sourceRevisionConfig, wanted);
  });
  if (ours.length === 0) return undefined;
  // A revision that settings or secrets made has no source of its own to be known by; it is known by what it carries.
  const taken = patch.sourceRevisionConfig !== undefined || (await carries(op, before.id, patch));
  return taken ? ours.at(-1)?.id : undefined;
}

/** Whether the deployment has the settings and secrets that the patch asks for, as far as the server reports them. */
async function carries(op: ControlPlaneOperation, id: string, patch: WholePatch): Promise<boolean> {
  const record = await findLive(op, id);
  return record !== undefined && hasAsAsked(record, patch);
}

/** Whether the server reports all that a patch without a revision asks for, the ownership tag included. */
async function isInForce(
  op: ControlPlaneOperation,
  id: string,
  patch: WholePatch,
  tag: string,
): Promise<boolean> {
  const record = await findLive(op, id);
  if (!record || !hasAsAsked(record, patch, {})) return false;
  const found = tagOf(record);
  return patch.environment === undefined || (found !== undefined && writtenTag(found) === tag);
}

/** @param known what fields have that the server does not report; by default what the patch asks for */
function hasAsAsked(
  record: DeploymentRecord,
  { sourceConfig = {}, environment: secrets, settings }: WholePatch,
  known?: Comparison["known"],
): boolean {
  const probe = { name: "", source: "", sourceConfig, sourceRevisionConfig: {}, secrets, ...settings };
  const recorded = asRecorded(probe, record, known && { known });
  return isSameJson({ ...recorded, name: "", source: "" }, probe);
}
