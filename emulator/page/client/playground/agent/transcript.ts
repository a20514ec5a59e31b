/** Message of a conversation, as agent servers return it. */
export interface ChatMessage {
  id?: string;
  type: string;
  content: unknown;
  name?: string;
  tool_calls?: { id?: string; name: string; args: unknown }[];
  tool_call_id?: string;
  /** Parts of tool calls. Present if this is one of the chunks of a message that is being streamed. */
  tool_call_chunks?: unknown[];
}

/** Task of a run: the execution of one node. */
export interface Step {
  id: string;
  name: string;
  status: "running" | "done" | "failed" | "waiting";
  result?: unknown;
  error?: string;
}

/** Question that a graph asks before it continues. */
export interface Question {
  id: string | undefined;
  value: unknown;
  schema: Record<string, unknown> | undefined;
}

/** Part of a conversation that the playground has received so far. */
export interface Transcript {
  values: Record<string, unknown>;
  /** Messages that are not in `values` yet, because the node that creates them is running. */
  partial: ChatMessage[];
  steps: Step[];
  questions: Question[];
  error: string | undefined;
}

export const emptyTranscript: Transcript = {
  values: {},
  partial: [],
  steps: [],
  questions: [],
  error: undefined,
};

/** Returns the messages of a transcript, including those that are incomplete. */
export function messagesOf({ values, partial }: Transcript): ChatMessage[] {
  return [...messagesIn(values), ...partial];
}

/** Returns the messages in the state of a graph, or an empty list if the state contains no list of messages. */
export function messagesIn(values: Record<string, unknown>): ChatMessage[] {
  const { messages } = values;
  return Array.isArray(messages) ? messages.filter(isMessage) : [];
}

/** Returns the state of a graph as an object. The state of some graphs is a string, a number, or a list. */
export function valuesOf(state: unknown): Record<string, unknown> {
  if (state === null || state === undefined) return {};
  return typeof state === "object" && !Array.isArray(state)
    ? (state as Record<string, unknown>)
    : { value: state };
}

/** Returns the transcript after the changes that a stream event reports. */
export function withEvent(transcript: Transcript, event: string, data: unknown): Transcript {
  switch (event) {
    case "values":
      return withValues(transcript, valuesOf(data));
    case "messages":
      return Array.isArray(data) ? withMessage(transcript, data[0]) : transcript;
    case "tasks":
      return withTask(transcript, data as TaskEvent);
    case "error": {
      const { error, message } = data as { error?: string; message?: string };
      return { ...transcript, error: message ?? error ?? "The run failed." };
    }
    default:
      return transcript;
  }
}

/** Image in a message. */
export interface MessageImage {
  mediaType: string;
  /** Contents of the image in base64. */
  data: string;
}

/** Content of a message: its text, the images that it contains, and the types of its other parts. */
export interface MessageContent {
  text: string;
  images: MessageImage[];
  others: string[];
}

/** Returns the content of a message. */
export function contentOf({ content }: ChatMessage): MessageContent {
  if (typeof content === "string") return { text: content, images: [], others: [] };
  if (!Array.isArray(content)) return { text: JSON.stringify(content ?? ""), images: [], others: [] };
  const parts = (content as (string | ContentPart | null)[]).map((part) =>
    typeof part === "string" ? { type: "text", text: part } : (part ?? {}),
  );
  const texts = parts.map(({ text }) => (typeof text === "string" ? text : ""));
  const images = parts.flatMap((part) => imageIn(part) ?? []);
  const others = parts
    .filter((part) => part.type !== "text" && !imageIn(part))
    .map(({ type }) => (typeof type === "string" ? type : "unknown"));
  return { text: texts.join(""), images, others };
}

interface ContentPart {
  type?: unknown;
  text?: unknown;
  image_url?: unknown;
  data?: unknown;
  base64?: unknown;
  mime_type?: unknown;
  mimeType?: unknown;
}

/**
 * Returns the image in a part of a message, which may have any of LangChain's formats. Returns `undefined` if the part
 * does not contain image data.
 */
function imageIn(part: ContentPart): MessageImage | undefined {
  if (part.type === "image_url") {
    const { image_url: image } = part;
    const url = typeof image === "string" ? image : (image as { url?: unknown } | null | undefined)?.url;
    const [, mediaType, data] =
      /^data:(image\/[\w.+-]+);base64,(.*)$/s.exec(typeof url === "string" ? url : "") ?? [];
    return mediaType !== undefined && data !== undefined ? { mediaType, data } : undefined;
  }
  const data = part.base64 ?? part.data;
  const mediaType = part.mime_type ?? part.mimeType;
  const isImage = part.type === "image" && typeof data === "string" && typeof mediaType === "string";
  return isImage ? { mediaType, data } : undefined;
}

/** Returns the questions of tasks that are interrupted. */
export function questionsOf(tasks: { interrupts?: InterruptRecord[] }[]): Question[] {
  return tasks.flatMap(({ interrupts = [] }) => interrupts).map(questionOf);
}

interface InterruptRecord {
  id?: string;
  value?: unknown;
  response_schema?: Record<string, unknown>;
}

interface TaskEvent {
  id: string;
  name: string;
  result?: unknown;
  error?: unknown;
  interrupts?: unknown[];
  input?: unknown;
}

function questionOf({ id, value, response_schema: schema }: InterruptRecord): Question {
  return { id, value, schema };
}

function withValues(transcript: Transcript, data: Record<string, unknown>): Transcript {
  const { __interrupt__: interrupts, ...values } = data;
  const known = new Set(messagesIn(values).map(({ id }) => id));
  const hasValues = Object.keys(values).length > 0 || interrupts === undefined;
  return {
    ...transcript,
    values: hasValues ? values : transcript.values,
    partial: transcript.partial.filter(({ id }) => !known.has(id)),
    questions: Array.isArray(interrupts)
      ? (interrupts as InterruptRecord[]).map(questionOf)
      : transcript.questions,
  };
}

function withMessage(transcript: Transcript, message: unknown): Transcript {
  if (!isMessage(message) || messagesIn(transcript.values).some(({ id }) => id === message.id))
    return transcript;
  const { partial } = transcript;
  const place = partial.findIndex(({ id }) => id === message.id);
  if (place < 0) return { ...transcript, partial: [...partial, message] };
  const before = partial[place]!;
  // JavaScript servers report the type of the complete message for its chunks, too.
  const isPart = message.type.endsWith("Chunk") || message.tool_call_chunks !== undefined;
  const after = isPart
    ? {
        ...before,
        ...message,
        content: contentOf(before).text + contentOf(message).text,
        tool_calls: message.tool_calls?.length ? message.tool_calls : before.tool_calls,
      }
    : message;
  return { ...transcript, partial: partial.with(place, after) };
}

function withTask(transcript: Transcript, task: TaskEvent): Transcript {
  const { steps } = transcript;
  const { id, name, result, error } = task;
  const isWaiting = (task.interrupts?.length ?? 0) > 0;
  const hasEnded = "result" in task || "error" in task;
  const status = isWaiting ? "waiting" : error ? "failed" : hasEnded ? "done" : "running";
  const step: Step = {
    id,
    name,
    status,
    ...(result !== undefined && { result }),
    ...(error ? { error: typeof error === "string" ? error : JSON.stringify(error) } : {}),
  };
  const place = steps.findIndex((one) => one.id === id);
  return { ...transcript, steps: place < 0 ? [...steps, step] : steps.with(place, step) };
}

function isMessage(value: unknown): value is ChatMessage {
  return typeof value === "object" && value !== null && "type" in value && "content" in value;
}
