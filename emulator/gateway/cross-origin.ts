const exposed = "Content-Location, Location, X-Pagination-Total, X-Pagination-Next";

/** Whether a browser asks whether a page may ask; it sends no key with that. */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

/** Lets pages from anywhere read an answer of the gateway; those of the agent say themselves who may. */
export function readableFromPages(request: Request, answer: Response): Response {
  if (!request.headers.has("origin")) return answer;
  if (answer.headers.has("access-control-allow-origin")) {
    // Where to go on after a broken connection is the gateway's own word.
    if (answer.headers.has("location")) answer.headers.append("access-control-expose-headers", "Location");
    return answer;
  }
  answer.headers.set("access-control-allow-origin", "*");
  answer.headers.set("access-control-expose-headers", exposed);
  return answer;
}
