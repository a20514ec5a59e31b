import { z } from "@hono/zod-openapi";
import type { RequestContext } from "../request/request-context";
import { type Api, operation } from "../request/operation";
import { proxyResponse } from "../request/proxy-response";
import { withoutNulls } from "../schemas";
import { requireThread } from "./lookup";
import {
  CheckpointPath,
  HistoryQuery,
  StateQuery,
  ThreadHistory,
  ThreadPath,
  ThreadState,
  ThreadStateCheckpoint,
  ThreadStateUpdate,
  ThreadStateUpdated,
} from "./schemas";

const group = "Threads";

/** Adds the routes that read and update the state of threads and read their history. */
export function threadStateRoutes(api: Api): void {
  const proxyToAgent = async (
    context: RequestContext,
    threadId: string,
    method: string,
    rest: string,
    body?: object,
  ) => {
    await requireThread(context, threadId);
    return proxyResponse(
      await context.client.send(method, `/threads/${threadId}${rest}`, body && withoutNulls(body)),
      context,
    );
  };

  operation(
    api,
    {
      method: "get",
      path: "/threads/{thread_id}/state",
      group,
      summary: "Get Thread State",
      params: ThreadPath,
      query: StateQuery,
      answer: ThreadState,
      refusals: [404, 422],
    },
    ({ context, params, query }) =>
      proxyToAgent(context, params.thread_id, "GET", `/state${subgraphs(query)}`),
  );
  operation(
    api,
    {
      method: "post",
      path: "/threads/{thread_id}/state",
      group,
      summary: "Update Thread State",
      params: ThreadPath,
      body: ThreadStateUpdate,
      answer: ThreadStateUpdated,
      refusals: [400, 404, 409, 422],
    },
    ({ context, params, body }) => {
      const checkpoint = body.checkpoint && withoutNulls(body.checkpoint);
      return proxyToAgent(context, params.thread_id, "POST", "/state", { ...body, checkpoint });
    },
  );
  operation(
    api,
    {
      method: "get",
      path: "/threads/{thread_id}/state/{checkpoint_id}",
      group,
      summary: "Get Thread State At Checkpoint",
      params: CheckpointPath,
      query: StateQuery,
      answer: ThreadState,
      refusals: [404, 422],
    },
    ({ context, params, query }) =>
      proxyToAgent(context, params.thread_id, "GET", `/state/${params.checkpoint_id}${subgraphs(query)}`),
  );
  operation(
    api,
    {
      method: "post",
      path: "/threads/{thread_id}/state/checkpoint",
      group,
      summary: "Get Thread State At Checkpoint",
      params: ThreadPath,
      body: ThreadStateCheckpoint,
      answer: ThreadState,
      refusals: [404, 422],
    },
    ({ context, params, body }) =>
      proxyToAgent(context, params.thread_id, "POST", "/state/checkpoint", {
        checkpoint: withoutNulls(body.checkpoint),
        // The JavaScript runtime parses this field in the same way as a query value.
        subgraphs: context.internalApi.documented
          ? (body.subgraphs ?? false)
          : String(body.subgraphs ?? false),
      }),
  );
  operation(
    api,
    {
      method: "get",
      path: "/threads/{thread_id}/history",
      group,
      summary: "Get Thread History",
      params: ThreadPath,
      query: HistoryQuery,
      answer: z.array(ThreadState),
      refusals: [404, 422],
    },
    ({ context, params, query: { limit, before } }) => {
      const query = new URLSearchParams({ limit: String(limit), ...(before ? { before } : {}) });
      return proxyToAgent(context, params.thread_id, "GET", `/history?${query.toString()}`);
    },
  );
  operation(
    api,
    {
      method: "post",
      path: "/threads/{thread_id}/history",
      group,
      summary: "Get Thread History Post",
      params: ThreadPath,
      body: ThreadHistory,
      answer: z.array(ThreadState),
      refusals: [404, 422],
    },
    ({ context, params, body }) => {
      const { before: id } = body;
      const checkpoint = body.checkpoint && withoutNulls(body.checkpoint);
      // The Python runtime accepts only a configuration, the JavaScript runtime only the ID.
      const before =
        id != null && context.internalApi.documented ? { configurable: { checkpoint_id: id } } : id;
      return proxyToAgent(context, params.thread_id, "POST", "/history", { ...body, before, checkpoint });
    },
  );
}

function subgraphs(query: { subgraphs?: boolean | undefined }): string {
  return query.subgraphs === undefined ? "" : `?subgraphs=${query.subgraphs}`;
}
