import type { StoredThread, ThreadBody } from "../agent-server/wire";
import { AgentServerError } from "../errors";
import type { AgentServerOperation } from "../resource/operation";
import type { Found } from "../resource/kind";
import { sendOrDetect } from "../resource/write";
import type { Result } from "../resource/operation";
import { holderIn, ownerTag, ownerOf, withoutTag } from "../resource/ownership/owner-tag";
import { recordedFields } from "../resource/plan/recorded-fields";
import type { ThreadInputs } from "./inputs";
import { plan } from "./plan";
import { threadState, type ThreadResourceState } from "./state";

type Op = AgentServerOperation;

/** `POST /threads`, with the state that it begins with. */
export async function createThread(op: Op, inputs: ThreadInputs): Promise<Result<ThreadResourceState>> {
  const { threads } = op.server;
  const id = inputs.threadId!;
  const { supersteps, state } = inputs;
  const body = {
    ...bodyOf(op, inputs),
    ...(supersteps && {
      supersteps: supersteps.map(({ updates }) => ({ updates: updates.map(wireUpdate) })),
    }),
  };
  const made = await sendOrDetect(op.time, {
    send: () => threads.createAs(id, body).catch(unlessTaken),
    look: () => threads.find(id, op.time.signal),
  });
  const record = made ?? (await threads.find(id, op.time.signal));
  if (record && ownerOf(record.metadata) !== op.resource.ownerId) throw conflict(record);
  // A create that was cut off may have left it without the state that it begins with.
  if (state && !(await threads.getState(id).then(({ values }) => isFilled(values))))
    await sendOrDetect(op.time, {
      send: () => threads.updateState(id, state.values, state.asNode).then(() => true),
      look: async () => isFilled((await threads.getState(id)).values) || undefined,
    });
  // One that a create has made which was cut off may be of other inputs.
  return record ? updateThread(op, id, recordedState(op, inputs, record), inputs) : ended(op, inputs, id);
}

function wireUpdate({ asNode, ...update }: { asNode: string; values?: unknown; command?: unknown }): object {
  return { ...update, as_node: asNode };
}

function isFilled(values: unknown): boolean {
  return typeof values === "object" && values !== null && Object.keys(values).length > 0;
}

function bodyOf(op: Op, { metadata, graph, ttl }: ThreadInputs): ThreadBody {
  return {
    metadata: { ...metadata, ...(graph !== undefined && { graph_id: graph }), ...ownerTag(op.resource) },
    ...(ttl && { ttl: { ttl: ttl.minutes, ...(ttl.strategy !== undefined && { strategy: ttl.strategy }) } }),
  };
}

/** A conflict leaves the question whose it is. */
function unlessTaken(error: unknown): undefined {
  if (AgentServerError.is(error) && error.facts.status === 409) return undefined;
  throw error;
}

function conflict({ thread_id: id, metadata }: StoredThread): AgentServerError {
  const held = ownerOf(metadata) === undefined ? "" : ` and belongs to ${holderIn(metadata)}`;
  return new AgentServerError(
    "name_conflict",
    `Thread ${id} exists already${held}. Give another threadId, or leave it out.`,
  );
}

/** `PATCH /threads/{thread_id}`. */
export async function updateThread(
  op: Op,
  id: string,
  state: ThreadResourceState,
  inputs: ThreadInputs,
): Promise<Result<ThreadResourceState>> {
  const { changes } = plan({ state, wanted: inputs, isSecret: () => false, replacesOn: () => false });
  if (!changes.some(({ effect }) => effect === "patch")) return ended(op, inputs, id);
  const { metadata, ttl } = bodyOf(op, inputs);
  const gone = Object.keys(state.metadata ?? {}).filter((key) => !Object.hasOwn(metadata!, key));
  await sendOrDetect(op.time, {
    send: () =>
      op.server.threads.update(id, {
        metadata: { ...Object.fromEntries(gone.map((key) => [key, null])), ...metadata },
        ...(ttl && { ttl }),
      }),
    look: () => Promise.resolve(undefined),
    isRepeatable: true,
  });
  return ended(op, inputs, id);
}

function ended({ resource: { ownerId } }: Op, inputs: ThreadInputs, id: string): Result<ThreadResourceState> {
  return { id, state: { ...inputs, ownerId, schemaVersion: threadState.schemaVersion } };
}

/** `GET /threads/{thread_id}`. */
export async function readThread(
  op: Op,
  id: string,
  known: ThreadResourceState | undefined,
): Promise<Found<ThreadInputs, ThreadResourceState> | undefined> {
  const record = await op.server.threads.find(id, op.time.signal);
  if (!record) return undefined;
  const state = known
    ? recordedState(op, threadState.inputsOf<ThreadInputs>(known), record)
    : ended(op, { threadId: id, ...toldOf(record) }, id).state;
  return { inputs: threadState.inputsOf<ThreadInputs>(state), state };
}

/** What a record tells. */
function toldOf({ metadata }: StoredThread): Pick<ThreadInputs, "metadata" | "graph"> {
  const { graph_id: graph, ...own } = withoutTag(metadata);
  return { metadata: own, ...(typeof graph === "string" && { graph }) };
}

/** The inputs as the record has them. */
function recordedState(op: Op, inputs: ThreadInputs, record: StoredThread): ThreadResourceState {
  const recorded = recordedFields(inputs, toldOf(record), ["metadata", "graph"]);
  return ended(op, recorded, record.thread_id).state;
}

/** `DELETE /threads/{thread_id}`: with what people have said in it only where the program says so. */
export async function deleteThread(
  op: Op,
  id: string,
  known: ThreadResourceState | undefined,
): Promise<void> {
  const { threads } = op.server;
  const record = await threads.find(id, op.time.signal);
  if (!record) return;
  if (ownerOf(record.metadata) !== op.resource.ownerId) {
    op.report.log("warning", `Thread ${id} is kept: it does not carry this resource's ownership tag.`);
    return;
  }
  if (known?.forceDelete !== true && (await threads.hasRuns(id, op.time.signal)))
    throw new AgentServerError(
      "deletion_protected",
      `Thread ${id} was not deleted: it has runs, and with them what people have said in it. Set \`forceDelete: true\` and run \`pulumi up\` to allow it, then delete it again; or keep it and run \`pulumi state delete\`.`,
    );
  await threads.delete(id).catch((error: unknown) => {
    if (!AgentServerError.is(error) || error.facts.status !== 404) throw error;
  });
}
