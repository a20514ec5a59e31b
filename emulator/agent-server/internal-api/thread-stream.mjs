import { serializeAsDict } from "../runtime/modules.mjs";

/** Streams the events on a thread as server-sent events until the client disconnects or the thread is deleted. */
export async function streamThread({ threadStreams }, threadId, query, response) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.flushHeaders();
  const left = new AbortController();
  response.on("close", () => left.abort());
  const last = query.get("last") ?? undefined;
  try {
    const events = threadStreams.follow(threadId, { last, modes: query.getAll("mode"), signal: left.signal });
    for await (const { id, event, data } of events)
      response.write(`id: ${id}\nevent: ${event}\ndata: ${serializeAsDict(data)}\n\n`);
  } finally {
    response.end();
  }
}
