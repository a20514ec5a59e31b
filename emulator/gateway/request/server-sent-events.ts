import type { IncomingMessage } from "node:http";
import { mostHeldBytes } from "../../bounded-bytes";
import { answerTooLarge } from "./agent-request";

export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Yields the events of a stream as they arrive. Does not join data that spans several lines, because the runtime does
 * not send such data.
 */
export async function* serverSentEvents(answer: IncomingMessage): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let held: string[] = [];
  let size = 0;
  let event = "message";
  for await (const chunk of answer) {
    const text = decoder.decode(chunk as Buffer, { stream: true });
    const end = text.lastIndexOf("\n");
    if (end === -1) {
      size += text.length;
      if (size > mostHeldBytes) throw answerTooLarge();
      held.push(text);
      continue;
    }
    const lines = [...held, text.slice(0, end)].join("").split(/\r?\n/);
    held = [text.slice(end + 1)];
    size = held[0]!.length;
    for (const line of lines) {
      if (line.startsWith("event:")) event = line.slice(6).trim();
      else if (line.startsWith("data:")) yield { event, data: line.slice(5).trim() };
      else if (line === "") event = "message";
    }
  }
}
