/** True if a request needs no API key: anyone can check that an agent is up. */
export function isOpen(method: string, path: string): boolean {
  return path === "/ok" && (method === "GET" || method === "HEAD");
}
