/**
 * Minimum length of a secret in a query. Shorter values are ordinary words, such as branch names, which also occur in
 * other text.
 */
const shortestToken = 8;

/**
 * Returns the secret parts of an address: user name, password, and tokens in the query, both as written and decoded.
 */
export function credentialsIn(address: string): string[] {
  const [, userInfo = ""] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]*)@/i.exec(address) ?? [];
  const [, query = ""] = /\?([^#]*)/.exec(address) ?? [];
  const values = query.split("&").map((pair) => pair.slice(pair.indexOf("=") + 1));
  const written = [...userInfo.split(":"), ...values.filter(({ length }) => length >= shortestToken)];
  return written.flatMap((part) => [part, decoded(part)]).filter((part) => part !== "");
}

/** Returns the address without its secret parts. */
export function withoutCredentials(address: string): string {
  return address
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/i, "$1***@")
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^?\s]*)\?[^#\s]+/i, "$1?***");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
