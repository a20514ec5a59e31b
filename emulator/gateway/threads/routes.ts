import { z } from "@hono/zod-openapi";
import { type Api, operation } from "../call/operation";
import { passOn } from "../call/passing";
import { refuse } from "../call/refusal";
import { paginationHeaders } from "../pagination";
import { selected, withoutNulls } from "../schemas";
import { extracted } from "./extraction";
import { removeThread, requireThread } from "./lookup";
import {
  Thread,
  ThreadCount,
  ThreadCreate,
  ThreadPatch,
  ThreadPath,
  ThreadPrune,
  ThreadPruned,
  ThreadQuery,
  ThreadSearch,
} from "./schemas";

const group = "Threads";

/** Threads: what runs on them adds up. */
export function threadRoutes(api: Api): void {
  operation(
    api,
    {
      method: "post",
      path: "/threads",
      group,
      summary: "Create Thread",
      body: ThreadCreate,
      answer: Thread,
      refusals: [409, 422],
    },
    async ({ c, call, body: { ttl, ...body } }) => {
      const thread = await call.runtime.json<{ thread_id: string }>("POST", "/threads", body);
      if (ttl) call.book().threadTtls.set(thread.thread_id, ttl.strategy, ttl.ttl);
      return c.json(thread);
    },
  );
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
    async ({ c, call, body: { extract, select, ...body } }) => {
      const answer = await call.runtime.send("POST", "/threads/search", body);
      const headers = paginationHeaders(answer, body);
      if (!extract && !select) return passOn(answer, call, { headers });
      const threads = (await new Response(passOn(answer, call).body).json()) as Record<string, unknown>[];
      const shown = selected(threads, select).map((thread, place) => {
        if (!extract) return thread;
        const values = Object.entries(extract).map(([name, path]) => [
          name,
          extracted(threads[place]!, path),
        ]);
        return { ...thread, extracted: Object.fromEntries(values) };
      });
      return c.json(shown, 200, headers);
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
    async ({ call, body }) => passOn(await call.runtime.send("POST", "/threads/count", body), call),
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
    async ({ c, call, body }) => {
      let pruned = 0;
      for (const threadId of new Set(body.thread_ids)) {
        const { statusCode } = (await call.runtime.raw("GET", `/threads/${threadId}`)).resume();
        if (statusCode !== 200) continue;
        if (body.strategy === "delete") await removeThread(call, threadId);
        else await call.backstage.keepLatest(threadId);
        pruned += 1;
      }
      return c.json({ pruned_count: pruned });
    },
  );
  operation(
    api,
    {
      method: "get",
      path: "/threads/{thread_id}",
      group,
      summary: "Get Thread",
      params: ThreadPath,
      query: ThreadQuery,
      answer: Thread,
      refusals: [404, 422],
    },
    async ({ c, call, params, query }) => {
      const thread = await requireThread(call, params.thread_id);
      const ttl = query.include?.split(",").includes("ttl")
        ? call.book().threadTtls.of(params.thread_id)
        : undefined;
      return c.json({ ...thread, ...(ttl ? { ttl } : {}) });
    },
  );
  operation(
    api,
    {
      method: "patch",
      path: "/threads/{thread_id}",
      group,
      summary: "Patch Thread",
      params: ThreadPath,
      body: ThreadPatch,
      answer: Thread,
      refusals: [404, 422],
    },
    async ({ c, call, params, body: { ttl, ...body } }) => {
      await requireThread(call, params.thread_id);
      const path = `/threads/${params.thread_id}`;
      const thread = await call.runtime.json<object>("PATCH", path, withoutNulls(body));
      if (ttl) call.book().threadTtls.set(params.thread_id, ttl.strategy, ttl.ttl);
      return c.req.header("prefer") === "return=minimal" ? c.body(null, 204) : c.json(thread);
    },
  );
  operation(
    api,
    {
      method: "delete",
      path: "/threads/{thread_id}",
      group,
      summary: "Delete Thread",
      params: ThreadPath,
      refusals: [404, 422],
    },
    async ({ c, call, params }) => {
      await requireThread(call, params.thread_id);
      await removeThread(call, params.thread_id);
      return c.json({});
    },
  );
  operation(
    api,
    {
      method: "post",
      path: "/threads/{thread_id}/copy",
      group,
      summary: "Copy Thread",
      params: ThreadPath,
      answer: Thread,
      refusals: [404, 409, 422],
    },
    async ({ call, params }) => {
      const { thread_id: threadId } = params;
      const answer = await call.runtime.raw("POST", `/threads/${threadId}/copy`);
      if (answer.statusCode === 409) throw (answer.resume(), refuse.noThread(threadId));
      return passOn(answer, call);
    },
  );
}
