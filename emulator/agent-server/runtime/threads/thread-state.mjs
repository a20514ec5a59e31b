// States of threads in responses. Replaces a module of the runtime that omits fields that clients expect (see
// replacements.mjs).
import { stateSnapshot } from "../modules.mjs";

export function stateSnapshotToThreadState(snapshot) {
  return complete(stateSnapshot.stateSnapshotToThreadState(snapshot));
}

function complete(state) {
  const tasks = state.tasks.map((task) => ({
    ...task,
    // While other tasks are still waiting, the runtime keeps the interrupt of a task that has already been answered.
    interrupts: task.result == null ? (task.interrupts ?? []) : [],
    error: textOf(task.error),
    state: task.state && complete(task.state),
  }));
  return {
    ...state,
    tasks,
    metadata: state.metadata ?? {},
    interrupts: tasks.flatMap(({ interrupts }) => interrupts),
    checkpoint_id: state.checkpoint?.checkpoint_id ?? null,
    parent_checkpoint_id: state.parent_checkpoint?.checkpoint_id ?? null,
  };
}

/** Returns the name and message of an error that the runtime has stored as JSON. Returns any other string unchanged. */
function textOf(error) {
  try {
    const { name, message } = JSON.parse(error);
    return typeof message === "string" ? `${name ?? "Error"}: ${message}` : error;
  } catch {
    return error;
  }
}
