import type { Listener } from "../control-plane/client/listeners";
import { AgentServerError } from "../errors";
import type { ControlPlaneOperation } from "../resource/operation";
import { isSameJson } from "../resource/inputs/json";
import type { Found } from "../resource/kind";
import { sendOrDetect } from "../resource/write";
import type { Result } from "../resource/operation";
import type { ListenerInputs } from "./inputs";
import { listenerState, type ListenerState } from "./state";

type Op = ControlPlaneOperation;

/** `POST /v2/listeners`. A cluster has one listener in a workspace, by which one that exists is found. */
export async function createListener(op: Op, inputs: ListenerInputs): Promise<Result<ListenerState>> {
  const { listeners } = op.plane.client;
  const { computeId, namespaces, version } = inputs;
  const existing = async () =>
    (await listeners.list(op.time.signal)).find((listener) => listener.computeId === computeId);
  const made = await sendOrDetect(op.time, {
    send: () =>
      listeners
        .create({
          compute_type: "k8s",
          compute_id: computeId,
          compute_config: { k8s_namespaces: namespaces },
          ...(version !== undefined && { version }),
        })
        .catch(unlessTaken),
    look: existing,
  });
  if (made) return ended(op, inputs, made);
  const found = await existing();
  if (!found)
    throw new AgentServerError(
      "name_conflict",
      `The control plane says that the cluster ${computeId} has a listener, and lists none. Run the command again.`,
    );
  return adopt(op, inputs, found);
}

/** A conflict leaves the question whose it is. */
function unlessTaken(error: unknown): undefined {
  if (AgentServerError.is(error) && error.facts.status === 409) return undefined;
  throw error;
}

/** Nobody knows whose a listener is: one that is just as wanted may be from a create that was cut off. */
async function adopt(op: Op, inputs: ListenerInputs, found: Listener): Promise<Result<ListenerState>> {
  const { adopt = "ifOwned", computeId } = inputs;
  const isAsWanted = isSameJson(asRecorded(inputs, found), inputs);
  if (adopt === "never" || (adopt === "ifOwned" && !isAsWanted))
    throw new AgentServerError(
      "name_conflict",
      `The cluster ${computeId} has a listener already (${found.id}). Ways out: take it over with \`adopt: "always"\`; choose another computeId; or delete that listener first.`,
    );
  op.report.log("info", `Listener ${found.id} is adopted.`);
  return isAsWanted ? ended(op, inputs, found) : patch(op, found.id, inputs);
}

/** `PATCH /v2/listeners/{listener_id}`. */
export function updateListener(
  op: Op,
  id: string,
  _state: ListenerState,
  inputs: ListenerInputs,
): Promise<Result<ListenerState>> {
  return patch(op, id, inputs);
}

async function patch(op: Op, id: string, inputs: ListenerInputs): Promise<Result<ListenerState>> {
  const { namespaces, version } = inputs;
  const body = { compute_config: { k8s_namespaces: namespaces }, ...(version !== undefined && { version }) };
  // Sent twice, it changes nothing more.
  const patched = await sendOrDetect(op.time, {
    send: () => op.plane.client.listeners.update(id, body),
    look: () => Promise.resolve(undefined),
    isRepeatable: true,
  });
  return ended(op, inputs, patched);
}

function ended(op: Op, inputs: ListenerInputs, { id }: Listener): Result<ListenerState> {
  return { id, state: stateOf(op, inputs) };
}

function stateOf(
  { plane: { controlPlane }, resource: { ownerId } }: Op,
  inputs: ListenerInputs,
): ListenerState {
  return { ...inputs, controlPlane, ownerId, schemaVersion: listenerState.schemaVersion };
}

/** The inputs as the control plane has them; what a program leaves out is its own. */
function asRecorded(inputs: ListenerInputs, { computeId, namespaces, version }: Listener): ListenerInputs {
  return {
    ...inputs,
    computeId: computeId ?? inputs.computeId,
    namespaces,
    ...(inputs.version !== undefined && { version: version ?? inputs.version }),
  };
}

/** `GET /v2/listeners/{listener_id}`. */
export async function readListener(
  op: Op,
  id: string,
  known: ListenerState | undefined,
): Promise<Found<ListenerInputs, ListenerState> | undefined> {
  const found = await op.plane.client.listeners.find(id, op.time.signal);
  if (!found) return undefined;
  const before = known ? listenerState.inputsOf<ListenerInputs>(known) : { computeId: "", namespaces: [] };
  const inputs = asRecorded(before, found);
  return { inputs, state: stateOf(op, inputs) };
}

/** `DELETE /v2/listeners/{listener_id}`. */
export async function deleteListener({ plane: { client } }: Op, id: string): Promise<void> {
  await client.listeners.delete(id);
}
