const open = ["/ok", "/info", "/docs", "/openapi.json"];

/** Whether a path answers without an API key: anything can watch whether an agent is up and read what it offers. */
export function isOpen(path: string): boolean {
  return open.includes(path) || /^\/docs\/[\w.-]+$/.test(path);
}
