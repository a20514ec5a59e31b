import type { StoredThread, ThreadBody } from "../agent-server/wire";
import { unlessMissing } from "../agent-server/client/missing";
import { AgentServerError } from "../errors";
import { guarded } from "../resource/guard";
import type { AgentServerKind } from "../resource/kind";
import type { AgentServerOperation } from "../resource/operation";
import { keptOrDerivedId } from "../resource/ownership/derived-id";
import { withoutTag } from "../resource/ownership/owner-tag";
import { commonWords } from "../resource/plan";
import { managed, planByFields, type FieldEffects, replacesInPlace } from "../resource/plan/field-plan";
import { taggedOperations } from "../resource/tagged";
import { sendOrDetect } from "../resource/write";
import { threadChecks } from "./checks";
import { threadInputs, type ThreadInputs } from "./inputs";
import { threadState, type ThreadResourceState } from "./state";

const effects: FieldEffects = {
  threadId: "replace",
  graph: managed("patch"),
  metadata: { map: managed("patch") },
  ttl: managed("patch"),
  // The initial state has no effect after the create, unless the create could not write it.
  supersteps: "state",
  state: (from, to) => (from === undefined && to !== undefined ? "patch" : "state"),
  forceDelete: "state",
  adopt: "state",
};

const plan: AgentServerKind<ThreadInputs, ThreadResourceState>["plan"] = (question) =>
  planByFields(effects, question, replacesInPlace("threadId"));

/** Operations on threads (`/threads` of an agent server). */
const operations = taggedOperations<AgentServerOperation, ThreadInputs, ThreadResourceState, StoredThread>({
  noun: "Thread",
  alternative: "use another `threadId`",
  state: threadState,
  rules: { threadId: {}, graph: {}, metadata: { counts: "entries" }, state: {} },
  plan: ({ state, ...question }) => plan({ ...question, state: state as ThreadResourceState }),
  idOf: ({ thread_id: id }) => id,
  metadataOf: ({ metadata }) => metadata,
  reported: ({ thread_id: threadId, metadata, values }, known, wanted) => {
    const { graph_id: graph, ...own } = withoutTag(metadata);
    // A thread that has a state needs no initial state.
    const state = values && Object.keys(values).length > 0 ? (wanted ?? known)?.state : undefined;
    return { threadId, metadata: own, graph: typeof graph === "string" ? graph : null, state };
  },
  find: ({ server, time }, id) => server.threads.find(id, time.signal),
  findExisting: ({ server, time }, { threadId }) => server.threads.find(threadId!, time.signal),
  create: ({ server }, inputs, tag) => {
    const { supersteps, metadata, graph } = inputs;
    return server.threads.createAs(inputs.threadId!, {
      ...ttlBody(inputs),
      metadata: { ...metadata, ...(graph != null && { graph_id: graph }), ...tag },
      ...(supersteps && {
        supersteps: supersteps.map(({ updates }) => ({ updates: updates.map(wireUpdate) })),
      }),
    });
  },
  complete: writeInitialState,
  patch: async (op, stored, { wanted, fields, metadata }) => {
    const { server, time } = op;
    const body = {
      ...(fields.has("ttl") && ttlBody(wanted)),
      metadata: { ...metadata, ...(fields.has("graph") && { graph_id: wanted.graph }) },
    };
    const isSent = metadata !== undefined || fields.has("ttl") || fields.has("graph");
    const send = () => server.threads.update(stored.thread_id, body);
    const patched = isSent ? await sendOrDetect(time, { send, isRepeatable: true }) : stored;
    return fields.has("state") ? writeInitialState(op, wanted, patched) : patched;
  },
  delete: async (op, { thread_id: id }, state, { successor, replacement } = {}) => {
    const { time, report } = op;
    const isForced = [state, successor, replacement?.inputs].some((inputs) => inputs?.forceDelete === true);
    const isDeletable = async () => isForced || !(await op.server.threads.hasRuns(id, time.signal));
    const readAt = time.clock.now();
    if (!(await isDeletable())) {
      if (!replacement)
        throw new AgentServerError(
          "deletion_protected",
          `Thread ${id} was not deleted: it has runs, so deleting it would delete conversations. Set \`forceDelete: true\` and run \`pulumi up\` to allow it, then delete it again; or keep it and run \`pulumi state delete\`.`,
        );
      report.log(
        "warning",
        `Thread ${id} was replaced but not deleted: it has runs, so deleting it would delete conversations. This program no longer manages it.`,
      );
      return;
    }
    const { server } = guarded(op, isDeletable, readAt);
    await server.threads.delete(id).catch(unlessMissing(undefined));
  },
});

function ttlBody({ ttl }: ThreadInputs): Pick<ThreadBody, "ttl"> {
  if (!ttl) return {};
  return { ttl: { ttl: ttl.minutes, ...(ttl.strategy !== undefined && { strategy: ttl.strategy }) } };
}

function wireUpdate({ asNode, ...update }: { asNode: string; values?: unknown; command?: unknown }): object {
  return { ...update, as_node: asNode };
}

/** Writes the initial state unless the thread already has a state. An interrupted create may not have written it. */
async function writeInitialState(
  op: AgentServerOperation,
  { state }: ThreadInputs,
  stored: StoredThread,
): Promise<StoredThread> {
  const id = stored.thread_id;
  const hasState = async () => {
    const { values } = await op.server.threads.getState(id);
    return typeof values === "object" && values !== null && Object.keys(values).length > 0;
  };
  const isEmpty = async () => !(await hasState());
  const readAt = op.time.clock.now();
  if (!state || !(await isEmpty())) return stored;
  const { server } = guarded(op, isEmpty, readAt);
  await sendOrDetect(op.time, {
    send: () => server.threads.updateState(id, state.values, state.asNode).then(() => true),
    check: async () => (await hasState()) || undefined,
  });
  return stored;
}

/** Resource kind for threads on an agent server. */
export const threadKind = (): AgentServerKind<ThreadInputs, ThreadResourceState> => ({
  type: "Thread",
  endpointType: "agent server",
  idForm: "<thread ID>",
  inputs: threadInputs,
  outputs: threadState.outputs,
  readState: threadState.read,
  computed: keptOrDerivedId("threadId"),
  checks: threadChecks,
  plan,
  words: commonWords,
  ...operations,
});
