const exposed = "Content-Location, Location, X-Pagination-Total, X-Pagination-Next";

/** True if the request is a CORS preflight, which carries no key. */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

/**
 * Allows pages of any origin to read an answer of the gateway; an agent's own answer states who may read it. A browser
 * asks separately before a public page reaches this machine, which only `allowedOrigins` may.
 */
export function readableFromPages(
  request: Request,
  answer: Response,
  allowedOrigins: readonly string[],
): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return answer;
  if (
    isPreflight(request) &&
    request.headers.get("access-control-request-private-network") === "true" &&
    allowedOrigins.includes(origin)
  )
    answer.headers.set("access-control-allow-private-network", "true");
  if (answer.headers.has("access-control-allow-origin")) {
    // The gateway itself sets the path at which to resume after a broken connection.
    if (answer.headers.has("location")) answer.headers.append("access-control-expose-headers", "Location");
    return answer;
  }
  answer.headers.set("access-control-allow-origin", "*");
  answer.headers.set("access-control-expose-headers", exposed);
  return answer;
}
