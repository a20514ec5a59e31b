import { type Api, operation } from "../call/operation";
import { passOn } from "../call/passing";
import { refuse } from "../call/refusal";
import { withoutNulls } from "../schemas";
import { createThread } from "./creation";
import { removeThread, requireThread } from "./lookup";
import { Thread, ThreadCreate, ThreadPatch, ThreadPath, ThreadQuery } from "./schemas";

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
      const thread = await createThread(call, body);
      if (ttl) call.book().threadTtls.set(thread.thread_id, ttl.strategy, ttl.ttl);
      return c.json(thread);
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
      const ttls = call.book().threadTtls;
      const thread = await ttls.writing(params.thread_id, async () => {
        await requireThread(call, params.thread_id);
        const path = `/threads/${params.thread_id}`;
        const patched = await call.runtime.json<object>("PATCH", path, withoutNulls(body));
        if (ttl) ttls.set(params.thread_id, ttl.strategy, ttl.ttl);
        return patched;
      });
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
