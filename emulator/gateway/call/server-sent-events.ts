import type { IncomingMessage } from "node:http";

export interface ServerSentEvent {
  event: string;
  data: string;
}

/** The events of a stream as they come in; data of several lines is not put together, as the runtime sends none. */
export async function* serverSentEvents(answer: IncomingMessage): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  let event = "message";
  for await (const chunk of answer) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split(/\r?\n/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith("event:")) event = line.slice(6).trim();
      else if (line.startsWith("data:")) yield { event, data: line.slice(5).trim() };
      else if (line === "") event = "message";
    }
  }
}
