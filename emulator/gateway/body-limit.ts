import { Refusal } from "./request/refusal";

/** Maximum size of a body that is passed to an agent. */
const largestBody = 25 * 1024 * 1024;

// The rest of the request is not read, so the connection serves no other request.
const tooLarge = () =>
  new Refusal(413, `The body is larger than ${largestBody} bytes.`, { Connection: "close" });

/** Returns the request with a body that fails once it is too large; throws if its stated length is too large. */
export function withinLimit(request: Request): Request {
  if (request.body === null) return request;
  const announced = request.headers.get("content-length");
  // The HTTP server reads no more than the stated length.
  if (announced !== null && Number(announced) <= largestBody) return request;
  if (announced !== null) throw tooLarge();
  const { url, method, headers, signal } = request;
  const body = request.body.pipeThrough(counting());
  return new Request(url, { method, headers, signal, body, duplex: "half" });
}

function counting(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > largestBody) controller.error(tooLarge());
      else controller.enqueue(chunk);
    },
  });
}
