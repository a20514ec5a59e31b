import type { RequestContext } from "../request/request-context";
import { eventStream, delayedJson } from "../request/truncated-stream";
import { type Api, operation } from "../request/operation";
import { withinSilence } from "../request/heartbeat";
import { withHeartbeats, proxyResponse } from "../request/proxy-response";
import { Refusal, refuse } from "../request/refusal";
import { cancelWithCaller, resumedAt } from "./creation";
import { CancelQuery, isUnderWay, JoinQuery, Run, RunPath } from "./schemas";

const reading = { group: "Thread Runs", params: RunPath, refusals: [404, 422] } as const;

/** Adds the routes for a single run of a thread: read, join, cancel, delete. */
export function singleRunRoutes(api: Api): void {
  operation(
    api,
    {
      ...reading,
      method: "get",
      path: "/threads/{thread_id}/runs/{run_id}",
      summary: "Get Run",
      answer: Run,
    },
    async ({ c, context, params }) => c.json(await requireRun(context, params)),
  );
  operation(
    api,
    { ...reading, method: "delete", path: "/threads/{thread_id}/runs/{run_id}", summary: "Delete Run" },
    async ({ c, context, params }) => {
      await requireRun(context, params);
      (await context.client.send("DELETE", placeOf(params))).resume();
      return c.json({});
    },
  );
  operation(
    api,
    {
      ...reading,
      method: "get",
      path: "/threads/{thread_id}/runs/{run_id}/join",
      summary: "Join Run",
      query: JoinQuery,
    },
    async ({ c, context, params, query }) => {
      await requireRun(context, params);
      cancelWithCaller(context, c.req.raw.signal, placeOf(params), query.cancel_on_disconnect ?? false);
      const answer = context.client.send("GET", `${placeOf(params)}/join`);
      const headers = resumedAt(placeOf(params), "join");
      // The JavaScript runtime responds only after the run has ended.
      const soon = await (context.internalApi.documented ? answer : withinSilence(answer, context.clock));
      if (soon) return proxyResponse(soon, context, { headers });
      // The response has no error at its end, because clients rejoin the run when the connection breaks.
      const { whole, heartbeat } = delayedJson;
      const body = withHeartbeats(answer, context, { whole, heartbeat });
      return new Response(body, { headers: { "content-type": "application/json", ...headers } });
    },
  );
  operation(
    api,
    {
      ...reading,
      method: "get",
      path: "/threads/{thread_id}/runs/{run_id}/stream",
      summary: "Join Run Stream",
      query: JoinQuery,
      type: "text/event-stream",
    },
    async ({ context, params, query }) => {
      await requireRun(context, params);
      const path = `${placeOf(params)}/stream?cancel_on_disconnect=${query.cancel_on_disconnect ?? false}`;
      const headers = resumedAt(placeOf(params), "stream");
      const answer = proxyResponse(await context.client.send("GET", path), context, {
        headers,
        format: eventStream,
      });
      // Clients that do not specify a mode send an empty string.
      const modes = query.stream_mode?.filter((mode) => mode !== "");
      return modes?.length ? new Response(answer.body!.pipeThrough(onlyModes(modes)), answer) : answer;
    },
  );
  operation(
    api,
    {
      ...reading,
      method: "post",
      path: "/threads/{thread_id}/runs/{run_id}/cancel",
      summary: "Cancel Run",
      query: CancelQuery,
    },
    async ({ c, context, params, query }) => {
      if (!isUnderWay(await requireRun(context, params))) throw refuse.nothingToCancel();
      // The runtime treats any value of `wait` as true.
      const path = `${placeOf(params)}/cancel?action=${query.action}${query.wait ? "&wait=true" : ""}`;
      (await context.client.send("POST", path)).resume();
      return c.json({});
    },
  );
}

interface RunPlace {
  thread_id: string;
  run_id: string;
}

const placeOf = ({ thread_id, run_id }: RunPlace) => `/threads/${thread_id}/runs/${run_id}`;

/** Returns the run, or throws the documented error. */
async function requireRun({ client }: RequestContext, place: RunPlace): Promise<Record<string, unknown>> {
  try {
    return await client.json("GET", placeOf(place));
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? refuse.noRun(place.run_id) : error;
  }
}

/** Events that are sent in every stream mode. */
const always = ["metadata", "error", "end"];

/** True if an event, such as `values` or `updates|subgraph`, belongs to one of the modes. */
function belongs(event: string, modes: string[]): boolean {
  const [name = ""] = event.split("|");
  if (always.includes(name)) return true;
  if (name.startsWith("messages/")) return modes.includes("messages");
  if (name === "messages") return modes.includes("messages-tuple");
  return modes.includes(name);
}

/** Returns a stream that forwards only server-sent events of these modes. */
function onlyModes(modes: string[]): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop()!;
      for (const block of blocks) {
        const event = /^event: ?(.*?)\r?$/m.exec(block)?.[1];
        if (event === undefined || belongs(event, modes)) controller.enqueue(encoder.encode(`${block}\n\n`));
      }
    },
  });
}
