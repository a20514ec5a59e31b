import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http";
import type { FuzzRequest } from "./request";

/** What came back. */
export interface FuzzAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Of a stream only the beginning. */
  text: string;
}

/** How long requests are waited for. */
export interface Patience {
  /** For an answer, or for the end of one that is no stream. */
  ms: number;
  /** Whether it is in order that nothing comes for so long. */
  mayWait: boolean;
}

/** What is read of a stream. */
const streamMs = 150;

/** Sends a request byte by byte as it is; resolves with nothing if there is no answer while it may be waited for. */
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

/** The text of an answer; streams are left after their first words, or when there are none for a while. */
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
