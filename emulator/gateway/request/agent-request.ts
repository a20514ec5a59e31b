import { sizeText } from "../../../wire";
import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { boundedBytes, mostHeldBytes, TooManyBytes } from "../../bounded-bytes";
import { Refusal } from "./refusal";

export interface UpstreamRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: ReadableStream | Uint8Array | null;
  signal: AbortSignal;
}

/**
 * Sends a request to the agent. Resolves with the response as soon as its headers have arrived. Unlike `fetch`, does
 * not decode the content, and has no timeouts, because they would interrupt idle streams.
 */
export function sendToAgent({
  method,
  url,
  headers,
  body,
  signal,
}: UpstreamRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // One connection per request, because the agent may close an idle connection at the moment when it is reused.
    const upstream = request(url, { method, headers, signal, agent: false });
    upstream.on("response", resolve);
    upstream.on("error", reject);
    if (body === undefined || body === null) upstream.end();
    else if (body instanceof Uint8Array) upstream.end(body);
    else {
      const source = Readable.fromWeb(body);
      source.on("error", (error) => upstream.destroy(error));
      upstream.on("close", () => source.destroy());
      source.pipe(upstream);
    }
  });
}

/** Returns the error for a response that is too large. */
export const answerTooLarge = () =>
  new Refusal(502, `The response of the agent server is larger than ${sizeText(mostHeldBytes)}.`);

/**
 * Returns the complete body of a response as a string.
 * @throws Refusal if the body is too large
 */
export async function readText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  try {
    return (await boundedBytes(body, mostHeldBytes)).toString("utf8");
  } catch (error) {
    throw error instanceof TooManyBytes ? answerTooLarge() : error;
  }
}
