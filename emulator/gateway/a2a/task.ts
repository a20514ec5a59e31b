import { randomUUID } from "node:crypto";
import type { Call } from "../call/call";

/** Where a task stands, in the words of the protocol. */
export type TaskState = "submitted" | "working" | "input-required" | "completed" | "canceled" | "failed";

interface RunRecord {
  run_id: string;
  thread_id: string;
  status: string;
  updated_at: string;
}

interface ThreadRecord {
  status: string;
  values?: Values | null;
}

interface Values {
  messages?: { id?: string; type?: string; content?: unknown }[];
}

/** A run as a task; its thread is the context. */
export async function taskOf({ runtime }: Call, threadId: string, runId: string, historyLength = 0) {
  const run = await runtime.json<RunRecord>("GET", `/threads/${threadId}/runs/${runId}`);
  const thread = await runtime.json<ThreadRecord>("GET", `/threads/${threadId}`);
  const state = stateOf(run, thread);
  const text = state === "completed" || state === "input-required" ? answerIn(thread.values) : undefined;
  return {
    kind: "task",
    id: runId,
    contextId: threadId,
    status: { state, timestamp: run.updated_at },
    ...(text === undefined ? {} : { artifacts: [artifact(text)] }),
    ...(historyLength > 0 ? { history: historyOf(thread.values, threadId, runId, historyLength) } : {}),
  };
}

export const artifact = (text: string, artifactId: string = randomUUID()) => ({
  artifactId,
  name: "Assistant Response",
  parts: [{ kind: "text", text }],
});

/** The text that the assistant said last. */
export function answerIn(values: Values | null | undefined): string | undefined {
  const last = values?.messages?.findLast(({ type }) => type === "ai");
  return last && textOf(last.content);
}

function stateOf({ status }: RunRecord, thread: ThreadRecord): TaskState {
  if (status === "pending") return "submitted";
  if (status === "running") return "working";
  if (status === "success") return thread.status === "interrupted" ? "input-required" : "completed";
  return status === "interrupted" ? "canceled" : "failed";
}

function historyOf(values: Values | null | undefined, contextId: string, taskId: string, length: number) {
  return (values?.messages ?? [])
    .slice(-length)
    .map(({ id, type, content }) => ({
      kind: "message",
      role: type === "human" ? "user" : "agent",
      messageId: id ?? randomUUID(),
      contextId,
      taskId,
      parts: [{ kind: "text", text: textOf(content) }],
    }));
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map((part: { text?: string }) => part.text ?? "").join("");
}
