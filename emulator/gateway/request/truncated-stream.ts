import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { mostHeldBytes } from "../../bounded-bytes";
import { answerTooLarge } from "./agent-request";

/**
 * Error that callers receive if the agent server stops during a response. The error of a failed run has the same
 * format.
 */
export const stopped = {
  error: "AgentServerStopped",
  message:
    "The agent server stopped before the response was complete, for example because of a new revision.",
};

/** Format of a streamed response that consists of units. An interrupted response never ends with an incomplete unit. */
export interface StreamFormat {
  /**
   * Returns the number of bytes at the start of the chunk, up to the end of its last complete unit. `before` is the
   * last byte that was held back.
   */
  whole: (chunk: Buffer, before: number | undefined) => number;
  /** Returns the end of an interrupted response. If omitted, the connection to the caller is closed. */
  ending?: (why: { error: string; message: string }) => string;
  /** Data that is sent to keep an idle connection open. */
  heartbeat: string;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Format of server-sent events. Their lines may end with a carriage return. */
export const eventStream: StreamFormat = {
  whole(chunk, before) {
    const ends = ["\n\n", "\n\r\n"].map((end) => ({ at: chunk.lastIndexOf(end), length: end.length }));
    const last = Math.max(...ends.map(({ at, length }) => (at === -1 ? 0 : at + length)));
    if (last > 0 || before !== newline) return last;
    if (chunk[0] === newline) return 1;
    return chunk[0] === carriageReturn && chunk[1] === newline ? 2 : 0;
  },
  ending: (why) => `event: error\ndata: ${JSON.stringify(why)}\n\n`,
  heartbeat: ": heartbeat\n\n",
};

/** Format of a response that consists of blank lines, which keep the connection open, followed by a single value. */
export const delayedJson: StreamFormat = {
  whole(chunk, before) {
    if (before !== undefined) return 0;
    const value = chunk.findIndex((byte) => byte !== newline);
    return value === -1 ? chunk.length : value;
  },
  ending: (why) => JSON.stringify({ __error__: why }),
  heartbeat: "\n",
};

/**
 * Returns the body of the agent's response, which may not have arrived yet. If the response is interrupted or too
 * large, the body ends with an error that reports this to the caller.
 */
export function withErrorTail(
  answer: IncomingMessage | Promise<IncomingMessage>,
  { whole, ending }: Omit<StreamFormat, "heartbeat">,
): ReadableStream<Uint8Array> {
  const opened = Promise.resolve(answer).then((message) =>
    (Readable.toWeb(message) as ReadableStream<Uint8Array>).getReader(),
  );
  opened.catch(() => undefined);
  let held: Buffer[] = [];
  let size = 0;
  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, last: Buffer) => {
    if (last.length > 0) controller.enqueue(last);
    controller.close();
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const reader = await opened;
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return finish(controller, Buffer.concat(held));
          const chunk = Buffer.from(value);
          const length = whole(chunk, held.at(-1)?.at(-1));
          if (length > 0) {
            controller.enqueue(Buffer.concat([...held, chunk.subarray(0, length)]));
            held = length < chunk.length ? [chunk.subarray(length)] : [];
            size = chunk.length - length;
            return;
          }
          held.push(chunk);
          size += chunk.length;
          if (size <= mostHeldBytes) continue;
          void reader.cancel().catch(() => undefined);
          const fault = answerTooLarge();
          if (ending === undefined) throw fault;
          const why = { error: "AnswerTooLarge", message: fault.message };
          return finish(controller, Buffer.from(ending(why)));
        }
      } catch (error) {
        if (ending === undefined) throw error;
        finish(controller, Buffer.from(ending(stopped)));
      }
    },
    cancel: (reason) => opened.then((reader) => reader.cancel(reason)).catch(() => undefined),
  });
}
