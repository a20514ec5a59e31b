/**
 * Returns the request with a normalized path, in which unreserved characters are not percent-encoded (RFC 3986, 6.2.2.2),
 * so that each route has one spelling only.
 */
export function normalizedRequest(request: Request): Request {
  const url = new URL(request.url);
  const pathname = url.pathname.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
  if (pathname === url.pathname) return request;
  url.pathname = pathname;
  return new Request(url, request);
}
