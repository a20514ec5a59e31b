import type { RequestContext } from "../request/request-context";
import { serverSentEvents } from "../request/server-sent-events";
import { start } from "./methods";
import type { SendParams } from "./schemas";
import { answerIn, type State } from "./state";
import { type Artifact, messageOf, type Task, taskIdOf, taskOf, type TaskStatus } from "./task";

interface Update {
  taskId: string;
  contextId: string;
}

/** Stream event in the format of version 0.3. */
export type TaskEvent =
  | Task
  | (Update & { kind: "status-update"; status: TaskStatus; final: boolean })
  | (Update & { kind: "artifact-update"; artifact: Artifact; append: boolean; lastChunk: boolean });

/** Sends a message and streams the events: the task, the text of the assistant, the result, and the end. */
export async function* streamMessage(
  context: RequestContext,
  assistantId: string,
  { message }: SendParams,
): AsyncGenerator<TaskEvent> {
  const { place, runId } = await start(context, assistantId, message);
  const task = { id: taskIdOf(place), contextId: place.contextId };
  const about = { taskId: task.id, contextId: task.contextId };
  const timestamp = () => new Date(context.clock.now()).toISOString();
  yield { kind: "task", ...task, status: { state: "submitted", timestamp: timestamp() } };
  let count = 0;
  for await (const text of said(context, place.contextId, runId)) {
    const status: TaskStatus = { state: "working", timestamp: timestamp() };
    if (text !== undefined) status.message = messageOf(task, `${runId}:${count++}`, text);
    yield { kind: "status-update", ...about, status, final: false };
  }
  const { status, artifacts = [] } = await taskOf(context, place, 0);
  for (const artifact of artifacts)
    yield { kind: "artifact-update", ...about, artifact, append: false, lastChunk: true };
  yield { kind: "status-update", ...about, status, final: true };
}

/** Yields the assistant's text while a run is active. Yields `undefined` first, when the run starts. */
async function* said(
  { client }: RequestContext,
  threadId: string,
  runId: string,
): AsyncGenerator<string | undefined> {
  const answer = await client.send("GET", `/threads/${threadId}/runs/${runId}/stream`);
  let last: string | undefined;
  let first = true;
  for await (const { event, data } of serverSentEvents(answer)) {
    if (event === "metadata") yield undefined;
    if (event !== "values") continue;
    const text = answerIn({ values: JSON.parse(data) as State["values"] });
    // The first state contains the text of earlier runs.
    if (!first && text !== undefined && text !== last) yield text;
    last = text;
    first = false;
  }
}
