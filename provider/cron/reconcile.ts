import type { CronRecord } from "../agent-server/wire";
import { AgentServerError } from "../errors";
import { deleteOwned, guardedOwner } from "../resource/guard";
import type { Found } from "../resource/kind";
import type { AgentServerOperation, Result } from "../resource/operation";
import { type Adopt, claim, type ClaimedFor, decide, removedKeys } from "../resource/ownership/claim";
import {
  changedTag,
  findOwn,
  ownerIn,
  ownerOf,
  ownerTag,
  recordedOwner,
  withoutTag,
} from "../resource/ownership/owner-tag";
import { sendOrDetect } from "../resource/write";
import type { CronInputs } from "./inputs";
import {
  canPatchTo,
  createBody,
  fromWire,
  importedInputs,
  isAssistant,
  isOnThread,
  observedInputs,
  patchBody,
  reportedPart,
  unclearedInputs,
} from "./mapping";
import { plan } from "./plan";
import { cronState, nextRuns, type CronState } from "./state";

type Op = AgentServerOperation;

/**
 * `POST /runs/crons`. Servers assign the IDs of crons, so the ownership tag identifies a cron of an interrupted create.
 * A cron that replaces others is created disabled, and enabled when the others have been deleted.
 * @param predecessor the cron that is replaced, which has the same tag
 */
export async function createCron(
  op: Op,
  inputs: CronInputs,
  predecessor?: string,
): Promise<Result<CronState>> {
  const readAt = op.time.clock.now();
  const own = await ownCrons(op);
  const hinted = await findByCronId(op, inputs, own, predecessor);
  const interrupted = own.filter(({ cron_id: id }) => id !== predecessor);
  if (interrupted[0] && !hinted) claimCron(op, "create", interrupted[0], inputs.adopt);
  const found = hinted ?? interrupted.find((record) => canPatchTo(inputs, record));
  const others = own.filter(({ cron_id: id }) => id !== found?.cron_id);
  const record = found ?? (await post(op, inputs, own));
  await deleteCrons(op, others, readAt, predecessor);
  // An interrupted create may have left the cron disabled.
  const isOwn = ownerIn(record.metadata, op.resource).owner === "this";
  const desired = isOwn ? { ...inputs, enabled: inputs.enabled ?? true } : inputs;
  // State does not contain the values that the server does not report, so these values are sent.
  const observed = observedInputs(reportedPart(desired, record), record);
  const metadata = { ...observed.metadata, ...withoutTag(record.metadata) };
  const before = isOwn ? { ...observed, metadata } : observed;
  const { id, state } = await write(op, desired, before, { record, readAt });
  return { id, state: { ...state, enabled: inputs.enabled } };
}

/** Returns the crons with this resource's tag, oldest first. */
function ownCrons({ server, resource, time }: Op): Promise<CronRecord[]> {
  return findOwn(resource, (metadata) => server.crons.search({ metadata }, time.signal));
}

/**
 * Returns the existing cron that `cronId` specifies. For a replacement or a resumed create, the input is ignored if
 * that cron is the predecessor or does not exist.
 */
async function findByCronId(
  op: Op,
  { cronId: id, ...inputs }: CronInputs,
  own: readonly CronRecord[],
  predecessor: string | undefined,
): Promise<CronRecord | undefined> {
  if (id === undefined || id === predecessor) return undefined;
  const record =
    own.find(({ cron_id }) => cron_id === id) ?? (await op.server.crons.find(id, op.time.signal));
  if (!record) {
    if (own.length > 0 || predecessor !== undefined) return undefined;
    throw new AgentServerError(
      "resource_gone",
      `Cron ${id} does not exist on this agent server. Correct \`cronId\`, or remove it to create a new cron.`,
    );
  }
  const fixed = [
    ...(isAssistant(inputs.assistant, record)
      ? []
      : [`runs assistant ${record.assistant_id ?? "none"} instead of ${inputs.assistant}`]),
    ...(isOnThread(inputs.threadId, record)
      ? []
      : [`runs on ${threadText(record.thread_id)} instead of ${threadText(inputs.threadId)}`]),
  ];
  if (
    fixed.length > 0 &&
    decide("create", ownerIn(record.metadata, op.resource).owner, inputs.adopt) === "adopt"
  )
    throw new AgentServerError(
      "immutable_field",
      `Cron ${id} was not adopted because it ${fixed.join(" and ")}, which cannot be changed. Correct the inputs, or remove \`cronId\` to create a new cron.`,
    );
  const claimed = claimCron(op, "create", record, inputs.adopt, "remove `cronId` to create a new cron");
  return claimed === "adopt" || canPatchTo(inputs, record) ? record : undefined;
}

function threadText(id: string | null | undefined): string {
  return id == null ? "new threads" : `thread ${id}`;
}

function claimCron(op: Op, purpose: ClaimedFor, record: CronRecord, adopt?: Adopt, alternative?: string) {
  const isInState = purpose !== "create";
  const existing = { title: `Cron ${record.cron_id}`, ...ownerIn(record.metadata, op.resource, isInState) };
  return claim(op.report, purpose, { ...existing, alternative }, adopt);
}

/** Creates a cron, which stays disabled as long as this resource has other crons. */
function post(op: Op, inputs: CronInputs, own: readonly CronRecord[]): Promise<CronRecord> {
  const known = own.map(({ cron_id: id }) => id);
  const body = {
    ...createBody(inputs),
    metadata: { ...inputs.metadata, ...ownerTag(op.resource) },
    ...(own.length > 0 && { enabled: false }),
  };
  return sendOrDetect(op.time, {
    send: () => op.server.crons.create(body, inputs.threadId),
    check: async () => (await ownCrons(op)).find(({ cron_id: id }) => !known.includes(id)),
  });
}

/**
 * Deletes crons of this resource, and logs each duplicate that was deleted.
 * @param readAt time at which the crons were read
 */
async function deleteCrons(
  op: Op,
  crons: readonly CronRecord[],
  readAt: number,
  predecessor?: string,
): Promise<void> {
  for (const cron of crons) {
    const id = cron.cron_id;
    const isDeleted = await deleteOwned(op, `Cron ${id}`, cron, {
      readAt,
      read: () => op.server.crons.find(id, op.time.signal),
      remove: ({ server }) => server.crons.delete(id),
    });
    if (isDeleted && id !== predecessor) op.report.log("warning", `Deleted duplicate cron ${id}.`);
  }
}

/** `PATCH /runs/crons/{cron_id}`. */
export async function updateCron(
  op: Op,
  id: string,
  state: CronState,
  inputs: CronInputs,
): Promise<Result<CronState>> {
  const readAt = op.time.clock.now();
  const own = await ownCrons(op);
  const record = await findCron(op, id, own);
  if (!record)
    throw new AgentServerError(
      "resource_gone",
      `Cron ${id} no longer exists. Run \`pulumi refresh\`; the next \`pulumi up\` recreates it.`,
    );
  claimCron(op, "update", record, inputs.adopt);
  await deleteCrons(
    op,
    own.filter(({ cron_id }) => cron_id !== id),
    readAt,
  );
  const known = cronState.inputsOf<CronInputs>(state);
  // Another resource may have changed the fields that the server does not report, so those are sent.
  const isKept = ownerIn(record.metadata, op.resource, true).owner !== "another";
  const before = observedInputs(isKept ? known : reportedPart(known, record), record);
  return write(op, inputs, before, { record, readAt });
}

async function findCron({ server, time }: Op, id: string, own: readonly CronRecord[]) {
  return own.find(({ cron_id }) => cron_id === id) ?? (await server.crons.find(id, time.signal));
}

/**
 * Updates a cron to match the inputs and the ownership tag.
 * @param found the cron, and the time at which it was read
 */
async function write(
  op: Op,
  inputs: CronInputs,
  before: CronInputs,
  { record, readAt }: { record: CronRecord; readAt: number },
): Promise<Result<CronState>> {
  const id = record.cron_id;
  const { changes } = plan({ state: before, wanted: inputs, isSecret: () => false, replacesOn: () => false });
  const sent = changes.flatMap(({ effect, path }) => (effect === "patch" ? [path.split(".")[0]!] : []));
  const body = patchBody(inputs, sent);
  const isTagged = ownerOf(record.metadata) === op.resource.ownerId;
  const metadata = {
    ...(sent.includes("metadata") && {
      ...removedKeys(before.metadata, inputs.metadata),
      ...inputs.metadata,
    }),
    ...(!isTagged && changedTag(op.resource, record.metadata)),
  };
  delete body["metadata"];
  if (Object.keys(metadata).length > 0) body["metadata"] = metadata;
  const { server } = guardedOwner(op, record, readAt, () => op.server.crons.find(id, op.time.signal));
  const written =
    Object.keys(body).length === 0
      ? record
      : await sendOrDetect(op.time, { send: () => server.crons.update(id, body), isRepeatable: true });
  // Only a replacement can clear these inputs, and only a plan can require a replacement.
  const uncleared = unclearedInputs(inputs, written, unclearedInputs(inputs, record));
  for (const field of uncleared)
    op.report.log(
      "warning",
      `The \`${field}\` of cron ${id} is still set. Only a replacement can clear it, so the next \`pulumi up\` replaces the cron.`,
    );
  return { id, state: stateOf(op, inputs, written, uncleared) };
}

function stateOf(
  op: Op,
  inputs: CronInputs,
  record: CronRecord,
  uncleared: readonly string[] = [],
): CronState {
  const timing = {
    schedule: record.schedule ?? inputs.schedule,
    timezone: record.timezone === undefined ? inputs.timezone : record.timezone,
    endTime: record.end_time === undefined ? inputs.endTime : record.end_time,
    enabled: record.enabled ?? inputs.enabled,
  };
  return cronState.write(op.resource, {
    ...inputs,
    nextRuns: nextRuns(timing, op.time.clock.now()),
    ...(uncleared.length > 0 && { unclearedInputs: uncleared }),
  });
}

/**
 * `GET /runs/crons/{cron_id}`. Deletes enabled duplicates. A disabled duplicate may belong to a replacement in
 * progress.
 */
export async function readCron(
  op: Op,
  id: string,
  known: CronState | undefined,
): Promise<Found<CronInputs, CronState> | undefined> {
  const readAt = op.time.clock.now();
  const own = known ? await ownCrons(op) : [];
  const record = await findCron(op, id, own);
  if (!record) return undefined;
  if (!known) {
    const inputs = importedInputs(record);
    return { inputs, state: stateOf(op, inputs, record) };
  }
  if (own.includes(record))
    await deleteCrons(
      op,
      own.filter(({ cron_id, enabled }) => cron_id !== id && enabled !== false),
      readAt,
    );
  const before = cronState.inputsOf<CronInputs>(known);
  reportUndeclared(op, before, record);
  const inputs = observedInputs(before, record);
  const ownerId = recordedOwner(record.metadata, op.resource, true);
  const uncleared = unclearedInputs(inputs, record, known.unclearedInputs);
  return { inputs, state: { ...stateOf(op, inputs, record, uncleared), ownerId } };
}

/** Reports external changes to undeclared fields of a cron. */
function reportUndeclared({ report }: Op, declared: CronInputs, record: CronRecord): void {
  const { cron_id: id, enabled } = record;
  if (declared.enabled === undefined && enabled === false)
    report.log("info", `Cron ${id} is disabled on the server. To enable it, set \`enabled: true\`.`);
  if (declared.webhook === undefined && fromWire(record).webhook !== undefined)
    report.log(
      "info",
      `Cron ${id} has a webhook that this program does not declare. To remove it, set \`webhook: null\`.`,
    );
}

/**
 * `DELETE /runs/crons/{cron_id}`, with its duplicates; only crons that carry this resource's tag.
 * @param successor ID of the cron that replaced this one, which carries the same tag
 */
export async function deleteCron(op: Op, id: string, successor?: string): Promise<void> {
  const readAt = op.time.clock.now();
  const own = await ownCrons(op);
  const record = await findCron(op, id, own);
  const isDeleted = record && claimCron(op, "delete", record) === "delete";
  // A search for the owner ID does not find a cron with the tag of an interrupted rename.
  const all = isDeleted && !own.includes(record) ? [record, ...own] : own;
  await deleteCrons(
    op,
    all.filter(({ cron_id }) => cron_id !== successor),
    readAt,
    id,
  );
}
