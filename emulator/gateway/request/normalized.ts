/**
 * Returns the request with a normalized path, in which unreserved characters are not percent-encoded (RFC 3986,
 * 6.2.2.2), so that each route has only one spelling.
 */
export function normalizedRequest(request: Request): Request {
  const { pathname } = new URL(request.url);
  const normalized = pathname.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  return normalized === pathname ? request : withPath(request, normalized);
}

/** Returns a copy of the request with another path. */
export function withPath(request: Request, pathname: string): Request {
  const { method, headers, body, signal } = request;
  const url = new URL(request.url);
  url.pathname = pathname;
  return new Request(url, { method, headers, signal, ...(body && { body, duplex: "half" }) });
}
