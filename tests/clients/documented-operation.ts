import { documentedOperations, furtherOperations } from "../../emulator/gateway/documented-operations";

interface Template {
  operation: string;
  method: string;
  pattern: RegExp;
  parameters: number;
}

/** Those with fewer parameters first: `/threads/search` is no thread. */
const templates = [...documentedOperations, ...furtherOperations]
  .map((operation): Template => {
    const [method, path] = operation.split(" ") as [string, string];
    // Of `/mcp/` the slash at the end may be missing.
    const pattern = path
      .replaceAll(/[.]/g, "\\.")
      .replaceAll(/\{\w+\}/g, "[^/]+")
      .replace(/\/$/, "/?");
    return { operation, method, pattern: new RegExp(`^${pattern}$`), parameters: path.split("{").length - 1 };
  })
  .sort((one, other) => one.parameters - other.parameters);

/** The documented operation that a request is for; the request itself where there is none. */
export function documentedOperation(method: string, path: string): string {
  const found = templates.find((template) => template.method === method && template.pattern.test(path));
  return found?.operation ?? `${method} ${path}`;
}

/** Whether something is one of the documented operations. */
export const isDocumented = (operation: string) =>
  templates.some((template) => template.operation === operation);
