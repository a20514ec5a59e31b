import { eventStream } from "../request/truncated-stream";
import { type Api, operation } from "../request/operation";
import { proxyResponse } from "../request/proxy-response";
import { Refusal } from "../request/refusal";
import { requireThread } from "./lookup";
import { StreamQuery, ThreadPath } from "./schemas";

/** Adds the route that streams the events on a thread, one run after another, until the caller disconnects. */
export function threadStreamRoutes(api: Api): void {
  operation(
    api,
    {
      method: "get",
      path: "/threads/{thread_id}/stream",
      group: "Threads",
      summary: "Join Thread Stream",
      params: ThreadPath,
      query: StreamQuery,
      type: "text/event-stream",
      refusals: [404, 422],
    },
    async ({ c, context, params, query }) => {
      await requireThread(context, params.thread_id);
      const modes = query.stream_modes ?? query.stream_mode ?? ["run_modes"];
      const last = c.req.header("last-event-id");
      return proxyResponse(await context.internalApi.threadStream(params.thread_id, modes, last), context, {
        format: eventStream,
      });
    },
  );
  operation(
    api,
    {
      method: "get",
      path: "/threads/{thread_id}/storage",
      group: "Threads",
      summary: "Get Thread Storage",
      params: ThreadPath,
      refusals: [404, 422, 501],
    },
    async ({ context, params }) => {
      await requireThread(context, params.thread_id);
      throw new Refusal(501, "The checkpointer of this server does not report its storage usage.");
    },
  );
}
