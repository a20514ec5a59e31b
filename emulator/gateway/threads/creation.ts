import { randomUUID } from "node:crypto";
import type { RequestContext } from "../request/request-context";
import { Refusal } from "../request/refusal";
import { removeThread } from "./lookup";
import type { RuntimeThread } from "./serialize";

interface Creation {
  thread_id?: string | undefined;
  supersteps?: readonly unknown[] | undefined;
}

type Created = RuntimeThread & { thread_id: string };

/** Creates a thread; deletes it again if the runtime then refuses its first states. */
export async function createThread(context: RequestContext, body: Creation): Promise<Created> {
  const create = async (whole: Creation) => {
    const created = await context.client.json<Created | { detail: string }>("POST", "/threads", whole);
    if ("thread_id" in created) return created;
    // The Python runtime only reports in this way that it has created a thread without its states.
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
