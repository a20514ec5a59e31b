import { documentedOperations, furtherOperations } from "../../emulator/gateway/documented-operations";

const all: readonly string[] = [...documentedOperations, ...furtherOperations];

const patterns = all.map((operation) => {
  const [method, path] = operation.split(" ") as [string, string];
  // The trailing slash of `/mcp/` is optional.
  const pattern = path
    .replaceAll(".", "\\.")
    .replaceAll(/\{\w+\}/g, "[^/]+")
    .replace(/\/$/, "/?");
  return { operation, method, path: new RegExp(`^${pattern}$`) };
});

/** Returns the documented operation for a request, or the request itself if it is not documented. */
export function documentedOperation(method: string, path: string): string {
  const found = patterns.filter((pattern) => pattern.method === method && pattern.path.test(path));
  if (found.length > 1) throw new Error(`${method} ${path} may be any of ${JSON.stringify(found)}`);
  return found[0]?.operation ?? `${method} ${path}`;
}

/** True if the value is a documented operation. */
export const isDocumented = (operation: string) => all.includes(operation);
