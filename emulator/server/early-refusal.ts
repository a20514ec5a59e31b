import { boundedBytes } from "../bounded-bytes";

/** Maximum number of bytes to read from a rejected request body, and maximum size of the error response in bytes. */
const mostReadBytes = 256 * 1024 * 1024;
const largestRefusal = 16 * 1024 * 1024;

/**
 * Serves a request. If the request is rejected early, the response is sent immediately, but is not ended until the
 * client has sent the rest of the body. Otherwise, a client that sends its entire body before it reads the response
 * would lose the response together with the connection.
 */
export async function withEarlyRefusal(
  request: Request,
  serve: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const { method, headers, signal } = request;
  const given = ["GET", "HEAD"].includes(method) ? null : (request.body as ReadableStream<Uint8Array> | null);
  if (given === null) return serve(request);
  const sent = given.getReader();
  const state = { isOver: false };
  const read = async () => {
    const part = await sent.read();
    state.isOver ||= part.done;
    return part;
  };
  // Unlike the body itself, this stream can be canceled without closing the connection.
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  const response = await serve(new Request(request.url, { method, headers, signal, body, duplex: "half" }));
  if (state.isOver || response.status < 400) return response;
  return endingAfter(response, async () => {
    for (let bytes = 0; bytes <= mostReadBytes;) {
      const { done, value } = await read();
      if (done) return;
      bytes += value.length;
    }
  });
}

async function endingAfter(response: Response, rest: () => Promise<void>): Promise<Response> {
  const bytes = await boundedBytes(response.body, largestRefusal);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes);
      // If the client has disconnected, there is nothing left to read.
      await rest().catch(() => undefined);
      controller.close();
    },
  });
  const headers = new Headers(response.headers);
  headers.set("content-length", String(bytes.length));
  headers.set("connection", "close");
  return new Response(body, { status: response.status, headers });
}
