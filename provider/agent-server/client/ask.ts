import type { z } from "zod";
import type { Transport } from "../../http/transport";

/** Paths of POST requests that only read. */
const readPaths = /\/(search|count|namespaces)$/;

/**
 * Sends a request to an agent server as part of a wait that has a deadline.
 * @param signal replaces the client's own signal; `null` if the request must not be canceled
 */
export function sendRequest<Schema extends z.ZodType | undefined>(
  transport: Transport,
  method: "GET" | "POST" | "DELETE",
  path: string,
  answer: Schema,
  body?: object,
  signal?: AbortSignal | null,
) {
  const isRead = method === "GET" || readPaths.test(path);
  return transport.send({ method, path, body, answer, signal, isRead, duringWait: true });
}
