import { createHash } from "node:crypto";
import type { StoredRun } from "../agent-server/wire";
import { AgentServerError } from "../errors";
import type { AgentServerOperation, Result } from "../resource/operation";
import type { Found } from "../resource/kind";
import { sendOrDetect } from "../resource/write";
import { namedUuid } from "../resource/ownership/derived-id";
import { ownerFilter, ownerTag, ownerOf } from "../resource/ownership/owner-tag";
import { backoff, poll } from "../resource/poll";
import type { RunInputs } from "./inputs";
import { plan } from "./plan";
import { runState, type RunState } from "./state";

type Op = AgentServerOperation;

/** Key in the metadata of a run: what it was started for. */
const purposeKey = "agentserver_run";

/** Pauses between looks at a run, in milliseconds. */
const looks = backoff({ firstMs: 500, longestMs: 5_000, growth: 1.5 });

/** `POST /threads/{thread_id}/runs`, once for what it is for, and `GET …/join` when it has ended. */
export async function createRun(op: Op, inputs: RunInputs): Promise<Result<RunState>> {
  const purpose = purposeOf(inputs);
  const own = namedUuid(op.resource.ownerId, purpose);
  const thread = inputs.threadId ?? (await ownThread(op, own));
  const run = (await startedBefore(op, thread, purpose)) ?? (await start(op, inputs, thread, purpose));
  const output = await outcome(op, thread, run.run_id);
  await forgetThreads(op, thread);
  return {
    id: run.run_id,
    state: {
      ...inputs,
      runId: run.run_id,
      ranOn: thread,
      ...(output !== undefined && { output }),
      ownerId: op.resource.ownerId,
      schemaVersion: runState.schemaVersion,
    },
  };
}

/** What a run is for: the same run serves as long as that is the same. */
function purposeOf({ deployment: _deployment, connection: _connection, ...wanted }: RunInputs): string {
  return createHash("sha256").update(JSON.stringify(wanted)).digest("hex").slice(0, 32);
}

/** `POST /threads`, of an id that follows from what the run is for. */
async function ownThread(op: Op, id: string): Promise<string> {
  const { threads } = op.server;
  await sendOrDetect(op.time, {
    send: () =>
      threads.createAs(id, { metadata: ownerTag(op.resource) }).catch((error: unknown) => {
        if (AgentServerError.is(error) && error.facts.status === 409) return undefined;
        throw error;
      }),
    look: () => threads.find(id, op.time.signal),
  });
  return id;
}

/** A run that was started for the same before, by a create that was cut off: under way, or ended well. */
async function startedBefore(op: Op, thread: string, purpose: string): Promise<StoredRun | undefined> {
  const runs = await op.server.runs.listStored(thread, op.time.signal);
  return runs.find(
    ({ metadata, status }) =>
      metadata?.[purposeKey] === purpose &&
      ownerOf(metadata) === op.resource.ownerId &&
      (isUnderWay(status) || status === "success"),
  );
}

async function start(op: Op, inputs: RunInputs, thread: string, purpose: string): Promise<StoredRun> {
  const { assistant, input, command, config, context, metadata } = inputs;
  return sendOrDetect(op.time, {
    send: () =>
      op.server.runs.startWith(thread, {
        assistant_id: assistant,
        ...(input !== undefined && { input }),
        ...(command !== undefined && { command }),
        ...(config !== undefined && { config }),
        ...(context !== undefined && { context }),
        metadata: { ...metadata, ...ownerTag(op.resource), [purposeKey]: purpose },
        multitask_strategy: "enqueue",
      }),
    look: () => startedBefore(op, thread, purpose),
  });
}

function isUnderWay(status: string): boolean {
  return status === "pending" || status === "running";
}

/** The values that the run ended with. */
async function outcome(op: Op, thread: string, run: string): Promise<unknown> {
  const { runs } = op.server;
  const status = await poll(op.time, looks, async (count) => {
    const found = await runs.get(thread, run);
    op.report.status.show("RUNNING", `${found.status}, look ${count}`);
    return isUnderWay(found.status) ? undefined : found.status;
  });
  if (status === undefined)
    throw new AgentServerError(
      "rollout_timeout",
      `Run ${run} on thread ${thread} has not ended in time. It continues; run \`pulumi up\` again to wait for it, or raise \`${op.time.deadline.setBy}\`.`,
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
async function forgetThreads(op: Op, kept?: string): Promise<void> {
  const { threads } = op.server;
  for (const { thread_id: id, metadata } of await threads.search(
    ownerFilter(op.resource.ownerId),
    op.time.signal,
  ))
    if (id !== kept && ownerOf(metadata) === op.resource.ownerId)
      await threads.delete(id).catch((error: unknown) => {
        if (!AgentServerError.is(error) || error.facts.status !== 404) throw error;
      });
}

/** Runs again where the triggers have changed. */
export async function updateRun(
  op: Op,
  id: string,
  state: RunState,
  inputs: RunInputs,
): Promise<Result<RunState>> {
  const { changes } = plan({ state, wanted: inputs, isSecret: () => false, replacesOn: () => false });
  if (!changes.some(({ effect }) => effect === "patch")) return { id, state: { ...state, ...inputs } };
  const { state: after } = await createRun(op, inputs);
  return { id, state: after };
}

/** What has run has run. */
export function readRun(
  _op: Op,
  _id: string,
  known: RunState | undefined,
): Promise<Found<RunInputs, RunState> | undefined> {
  return Promise.resolve(known && { inputs: runState.inputsOf<RunInputs>(known), state: known });
}

/** Deletes the threads that were made for the runs. */
export function deleteRun(op: Op): Promise<void> {
  return forgetThreads(op);
}
