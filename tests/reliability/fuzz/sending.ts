import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http";
import type { FuzzRequest } from "./request";

export interface FuzzAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Text of the response, or only its beginning for a stream. */
  text: string;
}

/** Time limits of requests. */
export interface Patience {
  /** Time limit in milliseconds for a response, or for the end of a response that is not a stream. */
  ms: number;
  /** True if a response does not have to arrive within the time limit. */
  mayWait: boolean;
}

/** Time limit in milliseconds for reading a stream. */
const streamMs = 150;

/** Sends a request exactly as specified. Resolves with `undefined` if no response arrives within the time limit. */
export function send(
  base: string,
  { method, target, headers, body }: FuzzRequest,
  { ms, mayWait }: Patience,
): Promise<FuzzAnswer | undefined> {
  const { hostname, port, pathname } = new URL(base);
  return new Promise((resolve, reject) => {
    const path = `${pathname.replace(/\/$/, "")}${target}`;
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const options = { hostname, port, path, method, headers: { ...headers, ...length }, agent: false };
    const sent = httpRequest(options);
    const late = setTimeout(() => {
      sent.destroy();
      if (mayWait) resolve(undefined);
      else reject(new Error(`No whole answer within ${ms} ms`));
    }, ms);
    const settle = (): void => clearTimeout(late);
    sent.on("error", (error) => {
      settle();
      reject(error);
    });
    sent.on("response", (answer) => {
      read(answer).then(
        (text) => {
          settle();
          sent.destroy();
          resolve({ status: answer.statusCode!, headers: answer.headers, text });
        },
        (error: unknown) => {
          settle();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
    sent.end(body);
  });
}

/** Returns the text of a response. Stops reading a stream after its first messages, or if none arrive for a while. */
function read(answer: IncomingMessage): Promise<string> {
  const isStream = (answer.headers["content-type"] ?? "").startsWith("text/event-stream");
  return new Promise((resolve, reject) => {
    let text = "";
    const left = isStream ? setTimeout(() => resolve(text), streamMs) : undefined;
    answer.setEncoding("utf8");
    answer.on("data", (chunk: string) => {
      text += chunk;
      if (!isStream) return;
      clearTimeout(left);
      resolve(text);
    });
    answer.on("end", () => {
      clearTimeout(left);
      resolve(text);
    });
    answer.on("error", reject);
  });
}
