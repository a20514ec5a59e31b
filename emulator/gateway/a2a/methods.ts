import type { Call } from "../call/call";
import { serverSentEvents } from "../call/server-sent-events";
import { readText } from "../upstream";
import type { Message } from "./schemas";
import { answerIn, artifact, taskOf } from "./task";

interface StartedRun {
  run_id: string;
  thread_id: string;
}

/** Sends a message and waits for what comes of it. */
export async function sendMessage(call: Call, assistantId: string, message: Message) {
  const { run_id: runId, thread_id: threadId } = await startRun(call, assistantId, message);
  await readText(await call.runtime.send("GET", `/threads/${threadId}/runs/${runId}/join`));
  return taskOf(call, threadId, runId);
}

/** Sends a message and streams what follows: the task, what the assistant says, and the end. */
export async function* streamMessage(
  call: Call,
  assistantId: string,
  message: Message,
): AsyncGenerator<object> {
  const { run_id: taskId, thread_id: contextId } = await startRun(call, assistantId, message);
  const about = { taskId, contextId };
  const timestamp = new Date(call.clock.now()).toISOString();
  yield { kind: "task", id: taskId, contextId, status: { state: "submitted", timestamp } };
  const answer = await call.runtime.send("GET", `/threads/${contextId}/runs/${taskId}/stream`);
  let said: string | undefined;
  let shown: string | undefined;
  for await (const { event, data } of serverSentEvents(answer)) {
    if (event === "metadata")
      yield { kind: "status-update", ...about, status: { state: "working", timestamp }, final: false };
    if (event !== "values") continue;
    const values = JSON.parse(data) as Parameters<typeof answerIn>[0];
    // The first state holds what was said in earlier runs.
    const text = answerIn(values);
    if (said === undefined && shown === undefined) shown = text ?? "";
    else if (text !== undefined && text !== shown) {
      said = shown = text;
      yield {
        kind: "artifact-update",
        ...about,
        artifact: artifact(text, taskId),
        append: false,
        lastChunk: false,
      };
    }
  }
  const { status } = await taskOf(call, contextId, taskId);
  yield { kind: "status-update", ...about, status, final: true };
}

async function startRun(call: Call, assistantId: string, message: Message): Promise<StartedRun> {
  const threadId =
    message.contextId ?? (await call.runtime.json<StartedRun>("POST", "/threads", {})).thread_id;
  const run = await call.runtime.json<StartedRun>("POST", `/threads/${threadId}/runs`, {
    assistant_id: assistantId,
    input: inputOf(message),
    stream_mode: ["values"],
    multitask_strategy: "enqueue",
    if_not_exists: "create",
  });
  call.book().keepTask(run.run_id, run.thread_id);
  return run;
}

/** Text becomes a message, data becomes fields of the input. */
function inputOf({ parts, role, messageId }: Message): object {
  const text = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
  const data = Object.assign({}, ...parts.map((part) => (part.kind === "data" ? part.data : {}))) as object;
  const said = { role: role === "agent" ? "assistant" : "user", content: text, id: messageId };
  return text === "" ? data : { ...data, messages: [said] };
}
