import { type Api, operation } from "../request/operation";
import { Refusal, refuse } from "../request/refusal";
import { withoutNulls } from "../schemas";
import { createThread } from "./creation";
import { removeThread, requireThread } from "./lookup";
import { type RuntimeThread, shownThread } from "./serialize";
import { Thread, ThreadCreate, ThreadPatch, ThreadPath, ThreadQuery } from "./schemas";

const group = "Threads";

/** Adds the routes of threads, which accumulate the state of their runs. */
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
      refusals: [400, 404, 409, 422],
    },
    async ({ c, call, body: { ttl, ...body } }) => {
      const thread = await createThread(call, body);
      if (ttl) call.book().threadTtls.set(thread.thread_id, ttl.strategy, ttl.ttl);
      return c.json(shownThread(thread));
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
      return c.json({ ...shownThread(thread), ...(ttl ? { ttl } : {}) });
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
      const ttls = call.book().threadTtls;
      const thread = await ttls.writing(params.thread_id, async () => {
        await requireThread(call, params.thread_id);
        const path = `/threads/${params.thread_id}`;
        const patched = await call.runtime.json<RuntimeThread>("PATCH", path, withoutNulls(body));
        if (ttl) ttls.set(params.thread_id, ttl.strategy, ttl.ttl);
        return patched;
      });
      return c.req.header("prefer") === "return=minimal" ? c.body(null, 204) : c.json(shownThread(thread));
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
    async ({ c, call, params: { thread_id: threadId } }) => {
      try {
        const copy = await call.runtime.json<RuntimeThread>("POST", `/threads/${threadId}/copy`);
        return c.json(shownThread(copy));
      } catch (error) {
        throw error instanceof Refusal && error.status === 409 ? refuse.noThread(threadId) : error;
      }
    },
  );
}
