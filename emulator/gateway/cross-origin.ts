const exposed = "Content-Location, Location, X-Pagination-Total, X-Pagination-Next";

/** Whether a browser asks whether a page may ask; it sends no key with that. */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

/** Lets pages from anywhere read an answer of the gateway; those of the agent say themselves who may. */
export function readableFromPages(request: Request, answer: Response): Response {
  if (!request.headers.has("origin") || answer.headers.has("access-control-allow-origin")) return answer;
  answer.headers.set("access-control-allow-origin", "*");
  answer.headers.set("access-control-expose-headers", exposed);
  return answer;
}
