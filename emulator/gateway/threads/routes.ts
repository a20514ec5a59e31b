import { type Api, operation } from "../request/operation";
import { Refusal, refuse } from "../request/refusal";
import { withoutNulls } from "../schemas";
import { removeThread, requireThread } from "./lookup";
import { type RuntimeThread, serializeThread } from "./serialize";
import { Thread, ThreadCreate, ThreadPatch, ThreadPath, ThreadQuery } from "./schemas";
import { randomUUID } from "node:crypto";
import type { RequestContext } from "../request/request-context";

const group = "Threads";

/** Adds the routes for threads, which accumulate the state of their runs. */
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
    async ({ c, context, body: { ttl, ...body } }) => {
      const thread = await createThread(context, body);
      if (ttl) context.timers().threadTtls.set(thread.thread_id, ttl.strategy, ttl.ttl);
      return c.json(serializeThread(thread));
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
    async ({ c, context, params, query }) => {
      const thread = await requireThread(context, params.thread_id);
      const ttl = query.include?.split(",").includes("ttl")
        ? context.timers().threadTtls.of(params.thread_id)
        : undefined;
      return c.json({ ...serializeThread(thread), ...(ttl ? { ttl } : {}) });
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
    async ({ c, context, params, body: { ttl, ...body } }) => {
      const ttls = context.timers().threadTtls;
      const thread = await ttls.writing(params.thread_id, async () => {
        await requireThread(context, params.thread_id);
        const path = `/threads/${params.thread_id}`;
        const patched = await context.client.json<RuntimeThread>("PATCH", path, withoutNulls(body));
        if (ttl) ttls.set(params.thread_id, ttl.strategy, ttl.ttl);
        return patched;
      });
      return c.req.header("prefer") === "return=minimal"
        ? c.body(null, 204)
        : c.json(serializeThread(thread));
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
    async ({ c, context, params }) => {
      await requireThread(context, params.thread_id);
      await removeThread(context, params.thread_id);
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
    async ({ c, context, params: { thread_id: threadId } }) => {
      try {
        const copy = await context.client.json<RuntimeThread>("POST", `/threads/${threadId}/copy`);
        return c.json(serializeThread(copy));
      } catch (error) {
        throw error instanceof Refusal && error.status === 409 ? refuse.noThread(threadId) : error;
      }
    },
  );
}

interface Creation {
  thread_id?: string | undefined;
  supersteps?: readonly unknown[] | undefined;
}

type Created = RuntimeThread & { thread_id: string };

/** Creates a thread. Deletes it again if the runtime then rejects its initial states. */
async function createThread(context: RequestContext, body: Creation): Promise<Created> {
  const create = async (whole: Creation) => {
    const created = await context.client.json<Created | { detail: string }>("POST", "/threads", whole);
    if ("thread_id" in created) return created;
    // This is how the Python runtime reports that it has created a thread without its states.
    throw new Refusal(400, created.detail.replace(/^Thread \S+ was created, but [^:]*: /, ""));
  };
  if (!body.supersteps?.length) return create(body);
  const threadId = body.thread_id ?? randomUUID();
  const isNew = body.thread_id === undefined || !(await exists(context, threadId));
  try {
    return await create({ ...body, thread_id: threadId });
  } catch (error) {
    if (isNew && (await exists(context, threadId))) await removeThread(context, threadId);
    throw error;
  }
}

async function exists({ client }: RequestContext, threadId: string): Promise<boolean> {
  return (await client.raw("GET", `/threads/${threadId}`)).resume().statusCode === 200;
}
