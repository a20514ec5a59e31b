import type { z } from "zod";
import type { Transport } from "../../http/transport";

/**
 * Sends a request to an agent server. Whoever does waits for it, and has a deadline for that.
 * @param signal in place of the client's own; null for a request that nothing is to end
 */
export function ask<Schema extends z.ZodType | undefined>(
  transport: Transport,
  method: "GET" | "POST" | "DELETE",
  path: string,
  answer: Schema,
  body?: object,
  signal?: AbortSignal | null,
) {
  return transport.send({ method, path, body, answer, signal, duringWait: true });
}
