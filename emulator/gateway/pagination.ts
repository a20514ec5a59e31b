import type { IncomingMessage } from "node:http";

/**
 * The pagination headers of a search. The runtime adds the offset to the number of all that match, and one more when
 * that number happens to be the limit.
 */
export function paginationHeaders(
  { headers }: IncomingMessage,
  { limit, offset }: { limit: number; offset: number },
): Record<string, string> {
  const reported = Number(headers["x-pagination-total"] ?? 0);
  const total = reported - offset - (headers["x-pagination-next"] === undefined ? 0 : 1);
  const next = offset + limit;
  return {
    "X-Pagination-Total": String(total),
    ...(next < total ? { "X-Pagination-Next": String(next) } : {}),
  };
}
