import type { Context } from "hono";
import { Refusal, refusalOf } from "./request/refusal";
import { documentedOperations } from "./documented-operations";
import { readText } from "./request/agent-request";

/** Response of the runtime to a path without a route. */
const runtimeNotFound = "404 Not Found";

interface KnownOperation {
  method: string;
  pattern: RegExp;
}

/** Returns the methods that are allowed for a path. */
export type MethodsOf = (path: string) => string[];

/**
 * Returns the methods of a path, according to these routes and the documented operations. The runtime may serve
 * documented operations that have no route in the gateway.
 */
export function methodsAmong(routes: readonly { method: string; path: string }[]): MethodsOf {
  const documented = documentedOperations.map((operation) => operation.split(" ") as [string, string]);
  const known: KnownOperation[] = [
    ...routes.map(({ method, path }) => [method, path] as const),
    ...documented.map(([method, path]) => [method, path.replaceAll(/\{(\w+)\}/g, ":$1")] as const),
  ]
    .filter(([method]) => method !== "ALL")
    .map(([method, path]) => ({ method, pattern: patternOf(path) }));
  return (path) => [
    ...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
  ];
}

/** Returns the agent's response, or throws a documented error if the runtime responded with a plain-text error. */
export async function knownOrRefused(c: Context, answer: Response, methodsOf: MethodsOf): Promise<Response> {
  if (isRefusalOfBody(answer) && methodsOf(c.req.path).includes(c.req.method))
    throw refusalOf(answer.status, await readText(answer.body));
  if (!isShortText(answer)) return answer;
  const text = await answer.text();
  const headOnly = c.req.raw.method === "HEAD";
  if (text !== runtimeNotFound && !headOnly) return new Response(text, answer);
  const methods = methodsOf(c.req.path);
  if (methods.length === 0 || methods.includes(c.req.method)) throw new Refusal(404, "Not Found");
  throw new Refusal(405, "Method Not Allowed", { Allow: methods.join(", ") });
}

/**
 * True if the runtime rejected a malformed body with a plain-text response. For documented operations, such a response
 * is replaced with a JSON error.
 */
function isRefusalOfBody({ status, headers }: Response): boolean {
  return status === 400 && (headers.get("content-type") ?? "").startsWith("text/plain");
}

function isShortText({ status, headers }: Response): boolean {
  return (
    status === 404 &&
    (headers.get("content-type") ?? "").startsWith("text/plain") &&
    headers.get("content-length") === String(runtimeNotFound.length)
  );
}

function patternOf(path: string): RegExp {
  const parts = path
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${parts.join("/")}$`);
}
