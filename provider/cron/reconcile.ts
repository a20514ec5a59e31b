import type { CronRecord } from "../agent-server/wire";
import { AgentServerError } from "../errors";
import type { AgentServerOperation } from "../resource/operation";
import type { Found } from "../resource/kind";
import { sendOrDetect } from "../resource/write";
import type { Result } from "../resource/operation";
import { holderIn, ownerFilter, ownerTag, ownerOf } from "../resource/ownership/owner-tag";
import { asRecorded } from "./drift";
import type { CronInputs } from "./inputs";
import { fromWire, toWire } from "./mapping";
import { plan } from "./plan";
import { nextTimes } from "./schedule";
import { cronState, type CronState } from "./state";

type Op = AgentServerOperation;

/**
 * `POST /runs/crons`. The server knows no key of a cron, so it is the tag that tells whether a create that was cut off has
 * made it already.
 * @param predecessor the cron that it takes the place of, which carries the same tag
 */
export async function createCron(
  op: Op,
  inputs: CronInputs,
  predecessor?: string,
): Promise<Result<CronState>> {
  const { crons } = op.server;
  if (inputs.cronId !== undefined) return takeOver(op, inputs, inputs.cronId);
  const own = async () => ownCrons(op, predecessor);
  const [first, ...others] = await own();
  if (first) {
    op.report.log("info", `Cron ${first.cron_id} is this resource's own, from a create that did not finish.`);
    for (const { cron_id: id } of others) {
      op.report.log("warning", `Cron ${id} is deleted: it is the same one once more.`);
      await crons.delete(id);
    }
    return brought(op, inputs, first);
  }
  const body = { ...toWire(inputs), metadata: { ...inputs.metadata, ...ownerTag(op.resource) } };
  const made = await sendOrDetect(op.time, {
    send: () => crons.create(body, inputs.threadId),
    look: async () => (await own())[0],
  });
  return ended(op, inputs, made);
}

/** The crons with this resource's tag, the oldest first. */
async function ownCrons(op: Op, predecessor: string | undefined): Promise<CronRecord[]> {
  const found = await op.server.crons.search({ metadata: ownerFilter(op.resource.ownerId) }, op.time.signal);
  // A server of before 0.9 does not know the filter.
  return found.filter(
    ({ cron_id: id, metadata }) => ownerOf(metadata) === op.resource.ownerId && id !== predecessor,
  );
}

/** Takes over a cron that exists, by its id. */
async function takeOver(op: Op, inputs: CronInputs, id: string): Promise<Result<CronState>> {
  const record = await op.server.crons.find(id, op.time.signal);
  if (!record)
    throw new AgentServerError(
      "deployment_gone",
      `There is no cron ${id} at this agent server. Correct cronId, or leave it out to make a new one.`,
    );
  op.report.log("info", `Cron ${id} is adopted.`);
  return brought(op, inputs, record);
}

/** Brings a cron that exists to what is wanted. */
async function brought(op: Op, inputs: CronInputs, record: CronRecord): Promise<Result<CronState>> {
  return write(op, inputs, asRecorded(inputs, record), record);
}

/** `PATCH /runs/crons/{cron_id}`. */
export async function updateCron(
  op: Op,
  id: string,
  state: CronState,
  inputs: CronInputs,
): Promise<Result<CronState>> {
  const record = await op.server.crons.find(id, op.time.signal);
  if (!record)
    throw new AgentServerError(
      "deployment_gone",
      `Cron ${id} is gone. Run \`pulumi refresh\`, then \`pulumi up\` makes it again.`,
    );
  const owner = ownerOf(record.metadata);
  if (owner !== undefined && owner !== op.resource.ownerId)
    throw new AgentServerError(
      "name_conflict",
      `Cron ${id} was not changed: it belongs to ${holderIn(record.metadata)} by now. Remove it from this program, or there.`,
    );
  return write(op, inputs, state, record);
}

async function write(
  op: Op,
  inputs: CronInputs,
  before: CronInputs,
  record: CronRecord,
): Promise<Result<CronState>> {
  const id = record.cron_id;
  const { changes } = plan({ state: before, wanted: inputs, isSecret: () => false, replacesOn: () => false });
  const sent = changes.filter(({ effect }) => effect === "patch").map(({ path }) => path.split(".")[0]!);
  const body: Record<string, unknown> = toWire(inputs, sent);
  const isTagged = ownerOf(record.metadata) === op.resource.ownerId;
  if (sent.includes("metadata") || !isTagged)
    body["metadata"] = {
      ...cleared(before.metadata, inputs.metadata),
      ...inputs.metadata,
      ...(!isTagged && ownerTag(op.resource)),
    };
  if (Object.keys(body).length === 0) return ended(op, inputs, record);
  // Sent twice, it changes nothing more.
  const written = await sendOrDetect(op.time, {
    send: () => op.server.crons.update(id, body),
    look: () => Promise.resolve(undefined),
    isRepeatable: true,
  });
  return ended(op, inputs, written);
}

/** Metadata is merged: what is to go has to be said. */
function cleared(before: object | undefined, wanted: object | undefined): Record<string, null> {
  const gone = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(wanted ?? {}, key));
  return Object.fromEntries(gone.map((key) => [key, null]));
}

function ended(op: Op, inputs: CronInputs, { cron_id: id }: CronRecord): Result<CronState> {
  return { id, state: stateOf(op, inputs) };
}

function stateOf(op: Op, inputs: CronInputs): CronState {
  return {
    ...inputs,
    nextRuns: nextTimes(inputs, op.time.clock.now()),
    ownerId: op.resource.ownerId,
    schemaVersion: cronState.schemaVersion,
  };
}

/** `GET /runs/crons/{cron_id}`. */
export async function readCron(
  op: Op,
  id: string,
  known: CronState | undefined,
): Promise<Found<CronInputs, CronState> | undefined> {
  const record = await op.server.crons.find(id, op.time.signal);
  if (!record) return undefined;
  const inputs = known
    ? asRecorded(cronState.inputsOf<CronInputs>(known), record)
    : ({ ...fromWire(record), cronId: id } as CronInputs);
  return { inputs, state: stateOf(op, inputs) };
}

/** `DELETE /runs/crons/{cron_id}`: only one that carries this resource's tag. */
export async function deleteCron(op: Op, id: string): Promise<void> {
  const record = await op.server.crons.find(id, op.time.signal);
  if (!record) return;
  if (ownerOf(record.metadata) !== op.resource.ownerId) {
    const isFree = ownerOf(record.metadata) === undefined;
    const why = isFree ? "it carries no ownership tag" : `it belongs to ${holderIn(record.metadata)}`;
    op.report.log("warning", `Cron ${id} is kept: ${why}.`);
    return;
  }
  await op.server.crons.delete(id);
}
