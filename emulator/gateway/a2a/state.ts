/** State of a thread at a point in time. */
export interface State {
  values?: { messages?: unknown } | null;
  tasks?: { error?: unknown; interrupts?: Interrupt[] }[];
}

/** Interrupt of a graph that is waiting for a response. */
interface Interrupt {
  id?: string;
  value: unknown;
}

interface StateMessage {
  id?: string;
  type?: string;
  content?: unknown;
}

/** Returns the latest text of the assistant. */
export function answerIn(state: State): string | undefined {
  const last = messagesIn(state).findLast(({ type }) => type === "ai");
  return last && textOf(last.content);
}

/** Returns the messages in the state. A graph may store a value of any type under the `messages` key. */
export function messagesIn({ values }: State): StateMessage[] {
  const messages = values?.messages;
  if (!Array.isArray(messages)) return [];
  return messages.filter(
    (message): message is StateMessage => typeof message === "object" && message !== null,
  );
}

export const interruptsIn = ({ tasks = [] }: State) => tasks.flatMap(({ interrupts = [] }) => interrupts);

/** Returns the error that a run failed with. */
export function errorIn({ tasks = [] }: State): string {
  const error = tasks.find((task) => task.error != null)?.error;
  return typeof error === "string" ? error : "The run failed.";
}

/** Returns the text of a message, which may have several parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return content
    .map((part: { text?: unknown } | null) => (typeof part?.text === "string" ? part.text : ""))
    .join("");
}
