import { documentedOperations, furtherOperations } from "../../emulator/gateway/documented-operations";

const all: readonly string[] = [...documentedOperations, ...furtherOperations];

const patterns = all.map((operation) => {
  const [method, path] = operation.split(" ") as [string, string];
  // Of `/mcp/` the slash at the end may be missing.
  const pattern = path
    .replaceAll(".", "\\.")
    .replaceAll(/\{\w+\}/g, "[^/]+")
    .replace(/\/$/, "/?");
  return { operation, method, path: new RegExp(`^${pattern}$`) };
});

/** The documented operation that a request is for; the request itself where there is none. */
export function documentedOperation(method: string, path: string): string {
  const found = patterns.filter((pattern) => pattern.method === method && pattern.path.test(path));
  if (found.length > 1) throw new Error(`${method} ${path} may be any of ${JSON.stringify(found)}`);
  return found[0]?.operation ?? `${method} ${path}`;
}

/** Whether something is one of the documented operations. */
export const isDocumented = (operation: string) => all.includes(operation);
