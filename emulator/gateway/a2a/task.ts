import type { RequestContext } from "../request/request-context";
import { Refusal } from "../request/refusal";
import { Uuid } from "../schemas";
import { noTask } from "./fault";
import type { TaskQuery } from "./schemas";
import { answerIn, errorIn, interruptsIn, messagesIn, type State, textOf } from "./state";

/** State of a task, as specified in version 0.3 of the protocol. */
export type TaskState = "submitted" | "working" | "input-required" | "completed" | "canceled" | "failed";

export type Part = { kind: "text"; text: string } | { kind: "data"; data: object };

export interface TaskMessage {
  kind: "message";
  role: "user" | "agent";
  messageId: string;
  contextId: string;
  taskId: string;
  parts: Part[];
}

export interface Artifact {
  artifactId: string;
  name: string;
  description?: string;
  parts: Part[];
}

export interface TaskStatus {
  state: TaskState;
  timestamp: string;
  message?: TaskMessage;
}

/** A task in the format of version 0.3. */
export interface Task {
  kind: "task";
  id: string;
  contextId: string;
  status: TaskStatus;
  artifacts?: Artifact[];
  history?: TaskMessage[];
}

/** Location of a task: the thread, which is its context, and the run that a message started on it. */
export interface TaskPlace {
  contextId: string;
  runId: string;
}

export interface RunRecord {
  run_id: string;
  thread_id: string;
  assistant_id: string;
  status: string;
  created_at: string;
  updated_at: string;
  metadata?: { a2a_task?: string } | null;
}

/**
 * Returns the metadata that identifies the runs of a task. The value is empty for the first run, because a run has no
 * ID until it starts.
 */
export const taskMark = (runId = "") => ({ a2a_task: runId });

export const taskIdOf = ({ contextId, runId }: TaskPlace) => `${contextId}:${runId}`;

/** Returns the location of a task from the task ID. If the context is specified, the ID may be just a run ID. */
export function placeOf({ id, contextId }: Pick<TaskQuery, "id" | "contextId">): TaskPlace {
  const [context, run] = id.includes(":") ? id.split(":", 2) : [contextId, id];
  const known = Uuid.safeParse(context).success && Uuid.safeParse(run).success;
  if (!known || (contextId !== undefined && contextId !== context)) throw noTask(id);
  return { contextId: context!, runId: run };
}

/** Returns the current state of a task. */
export async function taskOf(
  { client }: RequestContext,
  place: TaskPlace,
  historyLength = 10,
): Promise<Task> {
  const thread = `/threads/${place.contextId}`;
  const run = await latestRun(client, place);
  const query = { limit: 1, metadata: { run_id: run.run_id } };
  const [state = {}] = await client.json<State[]>("POST", `${thread}/history`, query);
  const { status: threadStatus } = await client.json<{ status: string }>("GET", thread);
  const asks = threadStatus === "interrupted" ? interruptsIn(state) : [];
  const reached = stateOf(run, asks.length > 0);
  const task: Task = {
    kind: "task",
    id: taskIdOf(place),
    contextId: place.contextId,
    status: { state: reached, timestamp: run.updated_at },
  };
  if (reached === "failed") task.status.message = messageOf(task, `${run.run_id}:error`, errorIn(state));
  const text = answerIn(state);
  if (reached === "completed" && text !== undefined) task.artifacts = [answerArtifact(place.runId, text)];
  if (reached === "input-required") task.artifacts = asks.map(interruptArtifact);
  if (historyLength > 0) task.history = historyOf(state, task, historyLength);
  return task;
}

/** Returns the latest run of a task. A response to an interrupt resumes the task in a new run. */
export async function latestRun(client: RequestContext["client"], place: TaskPlace): Promise<RunRecord> {
  const path = `/threads/${place.contextId}/runs`;
  const first = await client.json<RunRecord>("GET", `${path}/${place.runId}`).catch((error: unknown) => {
    throw error instanceof Refusal && error.status === 404 ? noTask(taskIdOf(place)) : error;
  });
  const runs = await client.json<RunRecord[]>("GET", `${path}?limit=100`);
  return runs.find(({ metadata }) => metadata?.a2a_task === place.runId) ?? first;
}

/** Returns a message that the assistant sends as part of a task. */
export function messageOf(
  task: Pick<Task, "id" | "contextId">,
  messageId: string,
  text: string,
): TaskMessage {
  const { id: taskId, contextId } = task;
  return { kind: "message", role: "agent", messageId, contextId, taskId, parts: [{ kind: "text", text }] };
}

// A task has the same artifacts each time it is read.
const answerArtifact = (runId: string, text: string): Artifact => ({
  artifactId: runId,
  name: "Assistant Response",
  parts: [{ kind: "text", text }],
});

const interruptArtifact = ({ id = "interrupt", value }: { id?: string; value: unknown }): Artifact => ({
  artifactId: id,
  name: "Interrupt",
  description: "The agent is waiting for an answer before it continues.",
  parts: [{ kind: "data", data: { id, value } }],
});

function stateOf({ status }: RunRecord, asks: boolean): TaskState {
  if (status === "pending") return "submitted";
  if (status === "running") return "working";
  if (status === "success") return asks ? "input-required" : "completed";
  return status === "interrupted" ? "canceled" : "failed";
}

function historyOf(state: State, task: Task, length: number): TaskMessage[] {
  return messagesIn(state)
    .slice(-length)
    .map(({ id, type, content }, index) => ({
      ...messageOf(task, id ?? `${task.id}:${index}`, textOf(content)),
      role: type === "human" ? "user" : "agent",
    }));
}
