import { z } from "@hono/zod-openapi";
import { eventStream, delayedJson } from "../request/truncated-stream";
import { type Api, operation } from "../request/operation";
import { proxyResponse } from "../request/proxy-response";
import { refuse, Refusal } from "../request/refusal";
import { resumedAt, runBody, runOf, waitedBody } from "./creation";
import { CancelManyQuery, Run, RunCreateStateless, RunsCancel, isUnderWay } from "./schemas";
import type { RequestContext } from "../request/request-context";
import { requireThread } from "../threads/lookup";

const group = "Stateless Runs";
const creation = { method: "post", group, body: RunCreateStateless, refusals: [400, 404, 409, 422] } as const;

/**
 * Adds the routes that run a graph on a new thread. The thread is deleted afterward unless the caller requested that it
 * be kept.
 */
export function statelessRunRoutes(api: Api): void {
  operation(
    api,
    { ...creation, path: "/runs", summary: "Create Background Run", answer: Run },
    async ({ context, body }) =>
      proxyResponse(await context.client.send("POST", "/runs", runBody(body, context.internalApi)), context),
  );
  operation(
    api,
    { ...creation, path: "/runs/stream", summary: "Create Run, Stream Output", type: "text/event-stream" },
    async ({ context, body }) => {
      if (context.internalApi.documented) {
        const answer = await context.client.send("POST", "/runs/stream", runBody(body, context.internalApi));
        const { location } = answer.headers;
        return proxyResponse(answer, context, {
          headers: location === undefined ? {} : { location },
          format: eventStream,
        });
      }
      // In the JavaScript runtime, the stream of a stateless run has no event IDs.
      const { run_id: runId } = await context.client.json<{ run_id: string }>(
        "POST",
        "/runs",
        runBody(body, context.internalApi),
      );
      const path = `/runs/${runId}/stream?cancel_on_disconnect=${body.on_disconnect === "cancel"}`;
      const answer = await context.client.send("GET", path);
      return proxyResponse(answer, context, {
        headers: resumedAt(runOf(answer), "stream"),
        format: eventStream,
      });
    },
  );
  operation(
    api,
    { ...creation, path: "/runs/wait", summary: "Create Run, Wait for Output" },
    async ({ c, context, body }) => {
      const answer = await context.client.send("POST", "/runs/wait", waitedBody(body, context.internalApi));
      const runId = runOf(answer).split("/").at(-1)!;
      if (body.on_disconnect === "cancel") {
        const { signal } = c.req.raw;
        const cancel = () => cancelWithStatus(context, "all", "interrupt", runId).catch(() => undefined);
        signal.addEventListener("abort", () => void cancel(), { once: true });
      }
      return proxyResponse(answer, context, {
        headers: { "content-type": "application/json" },
        format: delayedJson,
      });
    },
  );
  operation(
    api,
    {
      ...creation,
      path: "/runs/batch",
      summary: "Create Run Batch",
      body: z.array(RunCreateStateless).min(1),
      answer: z.array(Run),
    },
    async ({ context, body }) =>
      proxyResponse(
        await context.client.send(
          "POST",
          "/runs/batch",
          body.map((run) => runBody(run, context.internalApi)),
        ),
        context,
      ),
  );
  operation(
    api,
    {
      method: "post",
      path: "/runs/cancel",
      group,
      summary: "Cancel Runs",
      query: CancelManyQuery,
      body: RunsCancel,
      status: 204,
      refusals: [404, 422],
    },
    async ({ c, context, query, body }) => {
      const cancelled =
        "status" in body && body.status !== undefined
          ? await cancelWithStatus(context, body.status as "pending" | "running" | "all", query.action)
          : await cancelRuns(context, body.thread_id as string, body.run_ids as string[], query.action);
      if (cancelled === 0) throw refuse.nothingToCancel();
      return c.body(null, 204);
    },
  );
}

type Action = "interrupt" | "rollback";
const pageSize = 1000;

/** Cancels the given runs of a thread that are pending or running. Returns the number of canceled runs. */
async function cancelRuns(
  context: Pick<RequestContext, "client">,
  threadId: string,
  runIds: string[],
  action: Action,
): Promise<number> {
  await requireThread(context, threadId);
  let cancelled = 0;
  for (const runId of runIds) {
    const place = `/threads/${threadId}/runs/${runId}`;
    const run = await context.client.json<{ status: string }>("GET", place).catch(goneMeanwhile);
    if (!run || !isUnderWay(run)) continue;
    const answer = (await context.client.raw("POST", `${place}/cancel?action=${action}`)).resume();
    if (answer.statusCode !== 404) cancelled += 1;
  }
  return cancelled;
}

/**
 * Cancels all pending or running runs on all threads that are visible to the caller. With `only`, cancels only that
 * run. Returns the number of canceled runs.
 */
async function cancelWithStatus(
  { client: asCaller }: Pick<RequestContext, "client">,
  status: "pending" | "running" | "all",
  action: Action,
  only?: string,
): Promise<number> {
  const client = asCaller.until(new AbortController().signal);
  const threads = await client.json<{ thread_id: string }[]>("POST", "/threads/search", {
    status: "busy",
    limit: pageSize,
  });
  let cancelled = 0;
  for (const { thread_id: threadId } of threads) {
    for (const wanted of status === "all" ? ["pending", "running"] : [status]) {
      const path = `/threads/${threadId}/runs?status=${wanted}&limit=${pageSize}`;
      const runs = (await client.json<{ run_id: string }[]>("GET", path).catch(goneMeanwhile)) ?? [];
      const ids = runs.map(({ run_id }) => run_id).filter((id) => only === undefined || id === only);
      cancelled += (await cancelRuns({ client }, threadId, ids, action).catch(goneMeanwhile)) ?? 0;
    }
  }
  return cancelled;
}

function goneMeanwhile(error: unknown): undefined {
  if (error instanceof Refusal && error.status === 404) return undefined;
  throw error;
}
