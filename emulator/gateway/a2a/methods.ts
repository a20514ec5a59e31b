import { finished } from "node:stream/promises";
import type { RequestContext } from "../request/request-context";
import { code, Fault } from "./fault";
import { Answers, type Message, type SendParams, type TaskQuery } from "./schemas";
import { latestRun, placeOf, type Task, taskMark, taskOf, type TaskPlace } from "./task";

/** A task, and the run that was started by a message for this task. */
export interface Started {
  place: TaskPlace;
  runId: string;
}

/** Sends a message and waits for the result, unless the caller opts out. */
export async function sendMessage(
  context: RequestContext,
  assistantId: string,
  params: SendParams,
): Promise<Task> {
  const { blocking, returnImmediately, historyLength } = params.configuration ?? {};
  const { place, runId } = await start(context, assistantId, params.message);
  if (blocking !== false && returnImmediately !== true)
    await finished(
      (await context.client.send("GET", `/threads/${place.contextId}/runs/${runId}/join`)).resume(),
    );
  return taskOf(context, place, historyLength ?? undefined);
}

export const getTask = (context: RequestContext, query: TaskQuery): Promise<Task> =>
  taskOf(context, placeOf(query), query.historyLength);

/** Stops a task that has not ended. */
export async function cancelTask(context: RequestContext, query: TaskQuery): Promise<Task> {
  const place = placeOf(query);
  const { run_id: runId, status } = await latestRun(context.client, place);
  if (status !== "pending" && status !== "running")
    throw new Fault(code.notCancelable, "Task is not cancelable in its current state", 200);
  (await context.client.send("POST", `/threads/${place.contextId}/runs/${runId}/cancel?wait=true`)).resume();
  return taskOf(context, place, query.historyLength);
}

/** Starts a task, or resumes the task that is waiting for this message. */
export async function start(
  context: RequestContext,
  assistantId: string,
  message: Message,
): Promise<Started> {
  if (message.parts.some(({ kind }) => kind === "file"))
    throw new Fault(code.unsupportedContent, "Only text and data parts are supported", 200);
  if (message.taskId !== undefined) return resume(context, assistantId, message, message.taskId);
  const contextId =
    message.contextId ?? (await context.client.json<{ thread_id: string }>("POST", "/threads", {})).thread_id;
  const runId = await run(context, assistantId, contextId, { input: inputOf(message), metadata: taskMark() });
  return { place: { contextId, runId }, runId };
}

async function resume(
  context: RequestContext,
  assistantId: string,
  message: Message,
  taskId: string,
): Promise<Started> {
  const place = placeOf({ id: taskId, contextId: message.contextId });
  const { status } = await taskOf(context, place, 0);
  if (status.state !== "input-required")
    throw new Fault(
      code.unsupported,
      ["submitted", "working"].includes(status.state)
        ? "The task is not waiting for a message"
        : "A terminal task cannot accept another message",
      200,
    );
  const command = { resume: answerOf(message) };
  const runId = await run(context, assistantId, place.contextId, {
    command,
    metadata: taskMark(place.runId),
  });
  return { place, runId };
}

async function run(
  context: RequestContext,
  assistantId: string,
  contextId: string,
  what: object,
): Promise<string> {
  const started = await context.client.json<{ run_id: string }>("POST", `/threads/${contextId}/runs`, {
    assistant_id: assistantId,
    stream_mode: ["values"],
    multitask_strategy: "enqueue",
    if_not_exists: "create",
    ...what,
  });
  return started.run_id;
}

/** Returns the input of a run. Text becomes a message, and data becomes fields. */
function inputOf(message: Message): object {
  const { text, data } = contentOf(message);
  const said = {
    role: message.role === "agent" ? "assistant" : "user",
    content: text,
    id: message.messageId,
  };
  return text === "" ? data : { ...data, messages: [said] };
}

/**
 * Returns the value that resumes an interrupted run: the unchanged text, or the data. The `resume` field of the data
 * may contain one response per interrupt.
 */
function answerOf(message: Message): unknown {
  const { text, data } = contentOf(message);
  if (text !== "") return text;
  const answers = Answers.safeParse(data);
  if (!answers.success) return "resume" in data ? data.resume : data;
  return Object.fromEntries(answers.data.resume.map(({ id, value }) => [id, value]));
}

function contentOf({ parts }: Message): { text: string; data: object } {
  return {
    text: parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n"),
    data: Object.assign({}, ...parts.map((part) => (part.kind === "data" ? part.data : {}))) as object,
  };
}
