import type { IncomingMessage } from "node:http";
import type { RequestContext } from "./request-context";

/**
 * Returns the pagination headers of a search. Corrects the values of the JavaScript runtime, which adds the offset to
 * the number of matches, and adds one more if that number equals the limit.
 */
export function paginationHeaders(
  { headers }: IncomingMessage,
  { limit, offset }: { limit: number; offset: number },
  { internalApi }: Pick<RequestContext, "internalApi">,
): Record<string, string> {
  if (internalApi.documented) return {};
  const reported = Number(headers["x-pagination-total"] ?? 0);
  const total = reported - offset - (headers["x-pagination-next"] === undefined ? 0 : 1);
  const next = offset + limit;
  return {
    "X-Pagination-Total": String(total),
    ...(next < total ? { "X-Pagination-Next": String(next) } : {}),
  };
}
