import { z } from "@hono/zod-openapi";
import { type Api, operation } from "../request/operation";
import { proxyResponse } from "../request/proxy-response";
import { paginationHeaders } from "../request/pagination";
import { selected } from "../schemas";
import { readText } from "../request/agent-request";
import { removeThread } from "./lookup";
import { type RuntimeThread, serializeThread } from "./serialize";
import { Thread, ThreadCount, ThreadPrune, ThreadPruned, ThreadSearch } from "./schemas";

const group = "Threads";

/** Adds the routes that operate on several threads: search, count, and prune. */
export function bulkThreadRoutes(api: Api): void {
  operation(
    api,
    {
      method: "post",
      path: "/threads/search",
      group,
      summary: "Search Threads",
      body: ThreadSearch,
      answer: z.array(Thread),
      refusals: [422],
    },
    async ({ c, context, body: { extract, select, ...body } }) => {
      const answer = await context.client.send("POST", "/threads/search", body);
      const passed = proxyResponse(answer, context, { headers: paginationHeaders(answer, body, context) });
      const found = JSON.parse(await readText(passed.body)) as RuntimeThread[];
      const threads = found.map(serializeThread);
      const shown = selected(threads, select).map((thread, place) => {
        if (!extract) return thread;
        const values = Object.entries(extract).map(([name, path]) => [
          name,
          extracted(threads[place]!, path),
        ]);
        return { ...thread, extracted: Object.fromEntries(values) };
      });
      for (const name of ["x-pagination-total", "x-pagination-next"]) {
        const value = passed.headers.get(name);
        if (value !== null) c.header(name, value);
      }
      return c.json(shown);
    },
  );
  operation(
    api,
    {
      method: "post",
      path: "/threads/count",
      group,
      summary: "Count Threads",
      body: ThreadCount,
      answer: z.int(),
      refusals: [404, 422],
    },
    async ({ context, body }) =>
      proxyResponse(await context.client.send("POST", "/threads/count", body), context),
  );
  operation(
    api,
    {
      method: "post",
      path: "/threads/prune",
      group,
      summary: "Prune Threads",
      body: ThreadPrune,
      answer: ThreadPruned,
      refusals: [422],
    },
    async ({ c, context, body }) => {
      let pruned = 0;
      for (const threadId of new Set(body.thread_ids)) {
        const { statusCode } = (await context.client.raw("GET", `/threads/${threadId}`)).resume();
        if (statusCode !== 200) continue;
        if (body.strategy === "delete") await removeThread(context, threadId);
        else await context.internalApi.keepLatest(threadId);
        pruned += 1;
      }
      return c.json({ pruned_count: pruned });
    },
  );
}

/** Returns the value at a path such as `values.messages[-1].content`, or null if there is none. */
function extracted(thread: Record<string, unknown>, path: string): unknown {
  const steps = [...path.matchAll(/([^.[\]]+)|\[(-?\d+)\]/g)];
  let found: unknown = thread;
  for (const [, name, index] of steps) {
    if (Array.isArray(found) && index !== undefined) found = found.at(Number(index));
    else if (typeof found === "object" && found !== null && name !== undefined)
      found = (found as Record<string, unknown>)[name];
    else return null;
  }
  return found ?? null;
}
