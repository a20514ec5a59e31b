import type { Client } from "@langchain/langgraph-sdk";

const parts = ["assistants", "threads", "runs", "crons", "store"] as const;

/** Methods that a walk through the client omits, with the reasons. */
export const exceptions: Readonly<Record<string, string>> = {
  "threads.patchState":
    "PATCH /threads/{thread_id}/state is not a documented operation; it is refused with 405",
};

/** Methods that have a different effect if no thread is specified. */
const alsoWithoutThread = ["runs.create", "runs.stream", "runs.wait"];

const withoutThread = (method: string) => `${method} without a thread`;

/** Returns a wrapped client, and the set of its methods that have been called. */
export function noting(client: Client): { client: Client; visited: Set<string> } {
  const visited = new Set<string>();
  const watched = Object.fromEntries(parts.map((part) => [part, watch(client[part], part, visited)]));
  return { client: watched as unknown as Client, visited };
}

/** Returns all client methods that were not called, except those that are omitted for a reason. */
export function unvisited(client: Client, visited: ReadonlySet<string>): string[] {
  const all = parts.flatMap((part) => methodsOf(client[part]).map((method) => `${part}.${method}`));
  return [...all, ...alsoWithoutThread.map(withoutThread)].filter(
    (method) => !visited.has(method) && !(method in exceptions),
  );
}

/** Returns the methods of the object's own class, because inherited methods are internal. */
function methodsOf(part: object): string[] {
  const prototype = Object.getPrototypeOf(part) as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).filter(
    (name) => name !== "constructor" && typeof prototype[name] === "function",
  );
}

function watch<Part extends object>(part: Part, name: string, visited: Set<string>): Part {
  const methods = methodsOf(part);
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function" || !methods.includes(String(key))) return value;
      return (...args: unknown[]): unknown => {
        const method = `${name}.${String(key)}`;
        visited.add(args[0] === null ? withoutThread(method) : method);
        return (value as (...given: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}
