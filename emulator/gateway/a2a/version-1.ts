import type { TaskEvent } from "./streaming";
import type { Artifact, Part, Task, TaskMessage, TaskState, TaskStatus } from "./task";

// Version 1.0 of the protocol has the same objects as version 0.3, but with different names.

export const stateInVersion1 = (state: TaskState) => `TASK_STATE_${state.toUpperCase().replace("-", "_")}`;

export function taskInVersion1({ id, contextId, status, artifacts, history }: Task) {
  return {
    id,
    contextId,
    status: statusOf(status),
    ...(artifacts ? { artifacts: artifacts.map(artifactOf) } : {}),
    ...(history ? { history: history.map(messageOf) } : {}),
  };
}

export function eventInVersion1(event: TaskEvent) {
  if (event.kind === "task") return { task: taskInVersion1(event) };
  const { taskId, contextId } = event;
  if (event.kind === "status-update")
    return { statusUpdate: { taskId, contextId, status: statusOf(event.status) } };
  const { artifact, append, lastChunk } = event;
  return { artifactUpdate: { taskId, contextId, artifact: artifactOf(artifact), append, lastChunk } };
}

function statusOf({ state, timestamp, message }: TaskStatus) {
  return { state: stateInVersion1(state), timestamp, ...(message ? { message: messageOf(message) } : {}) };
}

function messageOf({ messageId, contextId, taskId, role, parts }: TaskMessage) {
  const roleName = role === "user" ? "ROLE_USER" : "ROLE_AGENT";
  return { messageId, contextId, taskId, role: roleName, parts: parts.map(partOf) };
}

const artifactOf = (artifact: Artifact) => ({ ...artifact, parts: artifact.parts.map(partOf) });
const partOf = (part: Part) => (part.kind === "text" ? { text: part.text } : { data: part.data });
