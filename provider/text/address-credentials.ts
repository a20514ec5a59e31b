/** Shorter values of a query are words such as names of branches, which stand in other texts as well. */
const shortestToken = 8;

/** What of an address must not be shown: user name, password and tokens in its query, as written and decoded. */
export function credentialsIn(address: string): string[] {
  const [, userInfo = ""] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]*)@/i.exec(address) ?? [];
  const [, query = ""] = /\?([^#]*)/.exec(address) ?? [];
  const values = query.split("&").map((pair) => pair.slice(pair.indexOf("=") + 1));
  const written = [...userInfo.split(":"), ...values.filter(({ length }) => length >= shortestToken)];
  return written.flatMap((part) => [part, decoded(part)]).filter((part) => part !== "");
}

/** The address as it may be shown. */
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
