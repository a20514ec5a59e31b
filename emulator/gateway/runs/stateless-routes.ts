import { z } from "@hono/zod-openapi";
import { events, waited } from "../request/truncated-stream";
import { type Api, operation } from "../request/operation";
import { passOn } from "../request/proxy-response";
import { refuse } from "../request/refusal";
import { resumedAt, runBody, runOf, waitedBody } from "./creation";
import { CancelManyQuery, Run, RunCreateStateless, RunsCancel } from "./schemas";
import { cancelRuns, cancelWithStatus } from "./cancellation";

const group = "Stateless Runs";
const creation = { method: "post", group, body: RunCreateStateless, refusals: [400, 404, 409, 422] } as const;

/** Adds the routes that run a graph on a new thread, which is deleted afterwards unless it is to be kept. */
export function statelessRunRoutes(api: Api): void {
  operation(
    api,
    { ...creation, path: "/runs", summary: "Create Background Run", answer: Run },
    async ({ call, body }) =>
      passOn(await call.runtime.send("POST", "/runs", runBody(body, call.backstage)), call),
  );
  operation(
    api,
    { ...creation, path: "/runs/stream", summary: "Create Run, Stream Output", type: "text/event-stream" },
    async ({ call, body }) => {
      if (call.backstage.documented) {
        const answer = await call.runtime.send("POST", "/runs/stream", runBody(body, call.backstage));
        const { location } = answer.headers;
        return passOn(answer, call, { headers: location === undefined ? {} : { location }, form: events });
      }
      // JavaScript's own stream of a stateless run has no event ids.
      const { run_id: runId } = await call.runtime.json<{ run_id: string }>(
        "POST",
        "/runs",
        runBody(body, call.backstage),
      );
      const path = `/runs/${runId}/stream?cancel_on_disconnect=${body.on_disconnect === "cancel"}`;
      const answer = await call.runtime.send("GET", path);
      return passOn(answer, call, { headers: resumedAt(runOf(answer), "stream"), form: events });
    },
  );
  operation(
    api,
    { ...creation, path: "/runs/wait", summary: "Create Run, Wait for Output" },
    async ({ c, call, body }) => {
      const answer = await call.runtime.send("POST", "/runs/wait", waitedBody(body, call.backstage));
      const runId = runOf(answer).split("/").at(-1)!;
      if (body.on_disconnect === "cancel") {
        const { signal } = c.req.raw;
        const cancel = () => cancelWithStatus(call, "all", "interrupt", runId).catch(() => undefined);
        signal.addEventListener("abort", () => void cancel(), { once: true });
      }
      return passOn(answer, call, { headers: { "content-type": "application/json" }, form: waited });
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
    async ({ call, body }) =>
      passOn(
        await call.runtime.send(
          "POST",
          "/runs/batch",
          body.map((run) => runBody(run, call.backstage)),
        ),
        call,
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
    async ({ c, call, query, body }) => {
      const cancelled =
        "status" in body && body.status !== undefined
          ? await cancelWithStatus(call, body.status as "pending" | "running" | "all", query.action)
          : await cancelRuns(call, body.thread_id as string, body.run_ids as string[], query.action);
      if (cancelled === 0) throw refuse.nothingToCancel();
      return c.body(null, 204);
    },
  );
}
