import type { IncomingMessage } from "node:http";
import type { Call } from "./call/call";

/**
 * The pagination headers of a search. The runtime of JavaScript adds the offset to the number of all that match, and one more when
 * that number happens to be the limit.
 */
export function paginationHeaders(
  { headers }: IncomingMessage,
  { limit, offset }: { limit: number; offset: number },
  { backstage }: Pick<Call, "backstage">,
): Record<string, string> {
  if (backstage.documented) return {};
  const reported = Number(headers["x-pagination-total"] ?? 0);
  const total = reported - offset - (headers["x-pagination-next"] === undefined ? 0 : 1);
  const next = offset + limit;
  return {
    "X-Pagination-Total": String(total),
    ...(next < total ? { "X-Pagination-Next": String(next) } : {}),
  };
}
