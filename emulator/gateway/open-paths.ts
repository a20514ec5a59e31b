/**
 * True if a request does not require an API key. This applies only to the health check, so that anyone can check
 * whether an agent is running.
 */
export function isOpen(method: string, path: string): boolean {
  return path === "/ok" && (method === "GET" || method === "HEAD");
}
