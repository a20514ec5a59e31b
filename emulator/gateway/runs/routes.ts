import { z } from "@hono/zod-openapi";
import { events, waited } from "../request/truncated-stream";
import { type Api, operation } from "../request/operation";
import { passOn } from "../request/proxy-response";
import { selected } from "../schemas";
import { requireThread } from "../threads/lookup";
import { ThreadPath } from "../threads/schemas";
import { cancelWithCaller, resumedAt, runBody, runOf, waitedBody } from "./creation";
import { Run, RunCreateStateful, RunListQuery } from "./schemas";

const group = "Thread Runs";
const creation = {
  method: "post",
  group,
  params: ThreadPath,
  body: RunCreateStateful,
  refusals: [400, 404, 409, 422],
} as const;

/** Adds the routes that run a graph on a thread. */
export function threadRunRoutes(api: Api): void {
  operation(
    api,
    { ...creation, path: "/threads/{thread_id}/runs", summary: "Create Background Run", answer: Run },
    async ({ call, params, body }) =>
      passOn(
        await call.runtime.send("POST", `/threads/${params.thread_id}/runs`, runBody(body, call.backstage)),
        call,
      ),
  );
  operation(
    api,
    {
      ...creation,
      path: "/threads/{thread_id}/runs/stream",
      summary: "Create Run, Stream Output",
      type: "text/event-stream",
    },
    async ({ call, params, body }) => {
      const path = `/threads/${params.thread_id}/runs/stream`;
      const answer = await call.runtime.send("POST", path, runBody(body, call.backstage));
      return passOn(answer, call, { headers: resumedAt(runOf(answer), "stream"), form: events });
    },
  );
  operation(
    api,
    { ...creation, path: "/threads/{thread_id}/runs/wait", summary: "Create Run, Wait for Output" },
    async ({ c, call, params, body }) => {
      const path = `/threads/${params.thread_id}/runs/wait`;
      const answer = await call.runtime.send("POST", path, waitedBody(body, call.backstage));
      const run = runOf(answer);
      cancelWithCaller(call, c.req.raw.signal, run, body.on_disconnect === "cancel");
      const headers = { "content-type": "application/json", ...resumedAt(run, "join") };
      return passOn(answer, call, { headers, form: waited });
    },
  );
  operation(
    api,
    {
      method: "get",
      path: "/threads/{thread_id}/runs",
      group,
      summary: "List Runs",
      params: ThreadPath,
      query: RunListQuery,
      answer: z.array(Run),
      refusals: [404, 422],
    },
    async ({ c, call, params, query: { select, limit, offset, status } }) => {
      await requireThread(call, params.thread_id);
      const query = new URLSearchParams({
        limit: `${limit}`,
        offset: `${offset}`,
        ...(status ? { status } : {}),
      });
      const runs = await call.runtime.json<object[]>(
        "GET",
        `/threads/${params.thread_id}/runs?${query.toString()}`,
      );
      return c.json(selected(runs, select));
    },
  );
}
