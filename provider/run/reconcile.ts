import { randomUUID } from "node:crypto";
import type { StoredRun, StoredThread } from "../agent-server/wire";
import { isTooLate } from "../deadline";
import { unlessMissing } from "../agent-server/client/missing";
import { AgentServerError } from "../errors";
import type { AgentServerOperation, Result } from "../resource/operation";
import { deleteOwned, guardedOwner, untilUnchanged } from "../resource/guard";
import type { Found } from "../resource/kind";
import { sendOrDetect } from "../resource/write";
import { digestOf, isSameJson } from "../resource/inputs/json";
import { ignoreConflict } from "../resource/ownership/claim";
import { changedTag, findOwn, ownerIn, ownerOf, ownerTag } from "../resource/ownership/owner-tag";
import { backoff, poll } from "../resource/poll";
import { isSameServer } from "../resource/server";
import type { RunInputs } from "./inputs";
import { runState, type RunState } from "./state";

type Op = AgentServerOperation;

/**
 * Metadata key. For a thread, the value is the purpose of its run; for a run, the value is the ID of the thread that
 * records the purpose.
 */
const purposeKey = "agentserver_run";

/** Pauses between polls of a run, in milliseconds. */
const looks = backoff({ firstMs: 500, longestMs: 5_000, growth: 1.5 });

/**
 * `POST /threads/{thread_id}/runs`, once per purpose, and `GET …/join` after the run has ended. A thread of this
 * resource records the purpose before the run is started. The run uses that thread unless the program specifies
 * another.
 * @param previous ID of the previous run, so that another run is started even if triggers return to an earlier value
 */
export async function createRun(
  op: Op,
  inputs: RunInputs,
  previous?: string,
  known?: RunState,
): Promise<Result<RunState>> {
  const record = await recordPurpose(op, purposeOf(inputs, previous));
  const thread = inputs.threadId ?? record;
  let id = record;
  let output: unknown;
  try {
    const run = (await startedBefore(op, thread, record)) ?? (await start(op, inputs, thread, record));
    id = run.run_id;
    output = await outcome(op, thread, id);
  } catch (error) {
    // After a failed update, the state remains as it is.
    if (known || !AgentServerError.is(error)) throw error;
    // A state without `ranOn` makes the next update resume or repeat this run.
    const state = runState.write(op.resource, { ...inputs, runId: previous });
    return { id, state, problem: { error, reasons: [error.message] } };
  }
  // The run has succeeded; if there is no time for earlier threads, the next run or a destroy deletes them.
  await forgetThreads(op, known, record).catch((error: unknown) => {
    if (!isTooLate(error)) throw error;
  });
  const outputs = { runId: id, ranOn: thread, ...(output !== undefined && { output }) };
  return { id, state: runState.write(op.resource, { ...inputs, ...outputs }) };
}

/**
 * Returns a digest of the purpose of a run. If the run is interrupted, an operation with the same digest resumes it.
 */
function purposeOf(
  { deployment: _deployment, connection: _connection, ...inputs }: RunInputs,
  previous: string | undefined,
): string {
  return digestOf({ inputs, previous }).slice(0, 32);
}

/** `POST /threads`, unless an interrupted operation has created the thread for this purpose. */
async function recordPurpose(op: Op, purpose: string): Promise<string> {
  const { threads } = op.server;
  const own = await ownThreads(op);
  const recorded = own.find(({ metadata }) => metadata?.[purposeKey] === purpose);
  if (recorded) return recorded.thread_id;
  const id = randomUUID();
  await sendOrDetect(op.time, {
    send: () =>
      threads
        .createAs(id, { metadata: { ...ownerTag(op.resource), [purposeKey]: purpose } })
        .catch(ignoreConflict),
    check: () => threads.find(id, op.time.signal),
  });
  return id;
}

/** Returns the threads that this resource has created. */
function ownThreads({ server, resource, time }: Op): Promise<StoredThread[]> {
  return findOwn(resource, (metadata) => server.threads.search(metadata, time.signal));
}

/** Returns the run that an interrupted operation has started, if the run is in progress or successful. */
async function startedBefore(op: Op, thread: string, record: string): Promise<StoredRun | undefined> {
  const runs = await op.server.runs.listStored(thread, op.time.signal);
  return runs.find(
    ({ metadata, status }) =>
      metadata?.[purposeKey] === record &&
      ownerIn(metadata, op.resource).owner === "this" &&
      (isUnderWay(status) || status === "success"),
  );
}

async function start(op: Op, inputs: RunInputs, thread: string, record: string): Promise<StoredRun> {
  const { assistant, input, command, config, context, metadata } = inputs;
  return sendOrDetect(op.time, {
    send: () =>
      op.server.runs.startWith(thread, {
        assistant_id: assistant,
        ...(input !== undefined && { input }),
        ...(command !== undefined && { command }),
        ...(config !== undefined && { config }),
        ...(context !== undefined && { context }),
        metadata: { ...metadata, ...ownerTag(op.resource), [purposeKey]: record },
        multitask_strategy: "enqueue",
      }),
    check: () => startedBefore(op, thread, record),
  });
}

function isUnderWay(status: string): boolean {
  return status === "pending" || status === "running";
}

/** Returns the values of the thread after the run has ended. */
async function outcome(op: Op, thread: string, run: string): Promise<unknown> {
  const { runs } = op.server;
  const status = await poll(op.time, looks, async (count) => {
    const found = await runs.get(thread, run);
    op.report.status.show("RUNNING", `${found.status}, poll ${count}`);
    return isUnderWay(found.status) ? undefined : found.status;
  });
  if (status === undefined)
    throw new AgentServerError(
      "timeout",
      `Run ${run} on thread ${thread} did not finish in time. It continues; run \`pulumi up\` again to wait for it, or increase \`${op.time.deadline.setBy}\`.`,
    );
  const joined = await runs.join(thread, run);
  if (status === "success") return joined ?? undefined;
  const { error, message } = joined?.__error__ ?? {};
  const why = [error, message].filter((part) => part).join(": ");
  throw new AgentServerError(
    "verification_failed",
    `Run ${run} on thread ${thread} ended with ${status}${why ? `: ${why}` : ""}. The next \`pulumi up\` starts another one.`,
  );
}

/** Deletes the threads of this resource's earlier runs. */
async function forgetThreads(op: Op, known?: RunState, kept?: string): Promise<void> {
  const readAt = op.time.clock.now();
  const own = await ownThreads(op);
  const { ranOn, threadId } = known ?? {};
  // A search for the owner ID does not find a thread with the tag of an interrupted rename.
  const isMissing = threadId === undefined && ranOn !== kept && !own.some((one) => one.thread_id === ranOn);
  const last = isMissing && ranOn !== undefined && (await op.server.threads.find(ranOn, op.time.signal));
  for (const thread of [...own, ...(last ? [last] : [])]) {
    const id = thread.thread_id;
    if (id === kept) continue;
    await deleteOwned(op, `Thread ${id}`, thread, {
      readAt,
      read: () => op.server.threads.find(id, op.time.signal),
      remove: ({ server }) => server.threads.delete(id).catch(unlessMissing(undefined)),
    });
  }
}

/**
 * Starts another run if the triggers have changed or the first run has not succeeded. After a rename, writes the new
 * ownership tag to the threads.
 */
export async function updateRun(
  op: Op,
  id: string,
  known: RunState,
  inputs: RunInputs,
): Promise<Result<RunState>> {
  const { ownerId, otherOwnerId } = op.resource;
  const { triggers, runId, ranOn, output } = known;
  await untilUnchanged(async () => {
    const readAt = op.time.clock.now();
    for (const thread of otherOwnerId === undefined ? [] : await ownThreads(op)) {
      const id = thread.thread_id;
      const { server } = guardedOwner(op, thread, readAt, () => op.server.threads.find(id, op.time.signal));
      if (ownerOf(thread.metadata) !== ownerId)
        await sendOrDetect(op.time, {
          send: () => server.threads.update(id, { metadata: changedTag(op.resource, thread.metadata) }),
          isRepeatable: true,
        });
    }
  });
  if (ranOn !== undefined && isSameJson(triggers, inputs.triggers))
    return { id, state: runState.write(op.resource, { ...inputs, runId, ranOn, output }) };
  const { state } = await createRun(op, inputs, runId, known);
  return { id, state };
}

/** Returns the state unchanged, because a run that has ended never changes. */
export function readRun(
  _op: Op,
  _id: string,
  known: RunState | undefined,
): Promise<Found<RunInputs, RunState> | undefined> {
  return Promise.resolve(known && { inputs: runState.inputsOf<RunInputs>(known), state: known });
}

/**
 * Deletes the threads that were created for the runs.
 * @param replacement inputs of the replacement; on the same server, creating the replacement deletes the earlier
 * threads
 */
export async function deleteRun(op: Op, known?: RunState, replacement?: RunInputs): Promise<void> {
  if (!known || !replacement || !isSameServer(known, replacement)) await forgetThreads(op, known);
}
