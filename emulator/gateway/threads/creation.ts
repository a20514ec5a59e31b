import { randomUUID } from "node:crypto";
import type { Call } from "../request/request-context";
import { Refusal } from "../request/refusal";
import { removeThread } from "./lookup";
import type { RuntimeThread } from "./serialize";

interface Creation {
  thread_id?: string | undefined;
  supersteps?: readonly unknown[] | undefined;
}

type Created = RuntimeThread & { thread_id: string };

/** Creates a thread; deletes it again if the runtime then refuses its first states. */
export async function createThread(call: Call, body: Creation): Promise<Created> {
  const create = async (whole: Creation) => {
    const created = await call.runtime.json<Created | { detail: string }>("POST", "/threads", whole);
    if ("thread_id" in created) return created;
    // The Python runtime only reports in this way that it has created a thread without its states.
    throw new Refusal(400, created.detail.replace(/^Thread \S+ was created, but [^:]*: /, ""));
  };
  if (!body.supersteps?.length) return create(body);
  const threadId = body.thread_id ?? randomUUID();
  const isNew = body.thread_id === undefined || !(await exists(call, threadId));
  try {
    return await create({ ...body, thread_id: threadId });
  } catch (error) {
    if (isNew && (await exists(call, threadId))) await removeThread(call, threadId);
    throw error;
  }
}

async function exists({ runtime }: Call, threadId: string): Promise<boolean> {
  return (await runtime.raw("GET", `/threads/${threadId}`)).resume().statusCode === 200;
}
