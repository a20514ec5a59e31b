import { z } from "@hono/zod-openapi";
import { eventStream, delayedJson } from "../request/truncated-stream";
import { type Api, operation } from "../request/operation";
import { proxyResponse } from "../request/proxy-response";
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
    async ({ context, params, body }) =>
      proxyResponse(
        await context.client.send(
          "POST",
          `/threads/${params.thread_id}/runs`,
          runBody(body, context.internalApi),
        ),
        context,
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
    async ({ context, params, body }) => {
      const path = `/threads/${params.thread_id}/runs/stream`;
      const answer = await context.client.send("POST", path, runBody(body, context.internalApi));
      return proxyResponse(answer, context, {
        headers: resumedAt(runOf(answer), "stream"),
        format: eventStream,
      });
    },
  );
  operation(
    api,
    { ...creation, path: "/threads/{thread_id}/runs/wait", summary: "Create Run, Wait for Output" },
    async ({ c, context, params, body }) => {
      const path = `/threads/${params.thread_id}/runs/wait`;
      const answer = await context.client.send("POST", path, waitedBody(body, context.internalApi));
      const run = runOf(answer);
      cancelWithCaller(context, c.req.raw.signal, run, body.on_disconnect === "cancel");
      const headers = { "content-type": "application/json", ...resumedAt(run, "join") };
      return proxyResponse(answer, context, { headers, format: delayedJson });
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
    async ({ c, context, params, query: { select, limit, offset, status } }) => {
      await requireThread(context, params.thread_id);
      const query = new URLSearchParams({
        limit: `${limit}`,
        offset: `${offset}`,
        ...(status ? { status } : {}),
      });
      const runs = await context.client.json<object[]>(
        "GET",
        `/threads/${params.thread_id}/runs?${query.toString()}`,
      );
      return c.json(selected(runs, select));
    },
  );
}
