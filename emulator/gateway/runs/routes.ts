import { z } from "@hono/zod-openapi";
import type { Call } from "../call/call";
import { type Api, operation } from "../call/operation";
import { passOn } from "../call/passing";
import { Refusal, refuse } from "../call/refusal";
import { selected } from "../schemas";
import { requireThread } from "../threads/lookup";
import { ThreadPath } from "../threads/schemas";
import { cancelWithCaller, runBody, waitedBody } from "./creation";
import { CancelQuery, JoinQuery, Run, RunCreateStateful, RunListQuery, RunPath } from "./schemas";

const group = "Thread Runs";
const sse = "text/event-stream";
const creation = {
  method: "post",
  group,
  params: ThreadPath,
  body: RunCreateStateful,
  refusals: [404, 409, 422],
} as const;
const reading = { group, params: RunPath, refusals: [404, 422] } as const;

/** Invocations of a graph on a thread. */
export function threadRunRoutes(api: Api): void {
  operation(
    api,
    { ...creation, path: "/threads/{thread_id}/runs", summary: "Create Background Run", answer: Run },
    async ({ call, params, body }) =>
      passOn(await call.runtime.send("POST", `/threads/${params.thread_id}/runs`, runBody(body)), call),
  );
  operation(
    api,
    {
      ...creation,
      path: "/threads/{thread_id}/runs/stream",
      summary: "Create Run, Stream Output",
      type: sse,
    },
    async ({ call, params, body }) =>
      passOn(
        await call.runtime.send("POST", `/threads/${params.thread_id}/runs/stream`, runBody(body)),
        call,
      ),
  );
  operation(
    api,
    { ...creation, path: "/threads/{thread_id}/runs/wait", summary: "Create Run, Wait for Output" },
    async ({ c, call, params, body }) => {
      const path = `/threads/${params.thread_id}/runs/wait`;
      const answer = await call.runtime.send("POST", path, waitedBody(body));
      const place = String(answer.headers["content-location"]);
      cancelWithCaller(call, c.req.raw.signal, place, body.on_disconnect === "cancel");
      return passOn(answer, call, { headers: { "content-type": "application/json" } });
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
      const runs = await call.runtime.json<object[]>("GET", `/threads/${params.thread_id}/runs?${query}`);
      return c.json(selected(runs, select));
    },
  );
  operation(
    api,
    {
      ...reading,
      method: "get",
      path: "/threads/{thread_id}/runs/{run_id}",
      summary: "Get Run",
      answer: Run,
    },
    async ({ c, call, params }) => c.json(await requireRun(call, params)),
  );
  operation(
    api,
    { ...reading, method: "delete", path: "/threads/{thread_id}/runs/{run_id}", summary: "Delete Run" },
    async ({ c, call, params }) => {
      await requireRun(call, params);
      (await call.runtime.send("DELETE", placeOf(params))).resume();
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
    async ({ c, call, params, query }) => {
      await requireRun(call, params);
      cancelWithCaller(call, c.req.raw.signal, placeOf(params), query.cancel_on_disconnect ?? false);
      return passOn(await call.runtime.send("GET", `${placeOf(params)}/join`), call);
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
      type: sse,
    },
    async ({ call, params, query }) => {
      await requireRun(call, params);
      const path = `${placeOf(params)}/stream?cancel_on_disconnect=${query.cancel_on_disconnect ?? false}`;
      return passOn(await call.runtime.send("GET", path), call);
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
    async ({ c, call, params, query }) => {
      await requireRun(call, params);
      // The runtime takes any value of `wait` for a yes.
      const path = `${placeOf(params)}/cancel?action=${query.action}${query.wait ? "&wait=true" : ""}`;
      (await call.runtime.send("POST", path)).resume();
      return c.json({});
    },
  );
}

interface RunPlace {
  thread_id: string;
  run_id: string;
}

const placeOf = ({ thread_id, run_id }: RunPlace) => `/threads/${thread_id}/runs/${run_id}`;

/** The run, or the documented refusal. */
async function requireRun({ runtime }: Call, place: RunPlace): Promise<Record<string, unknown>> {
  try {
    return await runtime.json("GET", placeOf(place));
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? refuse.noRun(place.run_id) : error;
  }
}
