import type { RequestContext } from "../request/request-context";
import { type Api, operation } from "../request/operation";
import { Refusal } from "../request/refusal";
import { z } from "@hono/zod-openapi";

const group = "System";

/** Adds the routes that report the health, information, and metrics of a deployment's server. */
export function systemRoutes(api: Api): void {
  operation(
    api,
    {
      method: "get",
      path: "/ok",
      group,
      summary: "Health Check",
      query: HealthQuery,
      answer: Health,
      refusals: [500],
    },
    async ({ c, context, query }) => {
      // Any response shows that the agent is running, because its project may hide or protect this path.
      (await context.client.raw("GET", "/ok")).resume();
      if (query.check_db === "1" || query.check_db === "true") await checkData(context);
      return c.json({ ok: true });
    },
  );
  operation(
    api,
    { method: "get", path: "/info", group, summary: "Server Information", answer: ServerInfo },
    async ({ c, context }) => {
      const { graphs } = await requireMeta(context);
      const { flags, ...own } = await context.client.json<{ flags: object }>("GET", "/info");
      return c.json({
        // The JavaScript runtime does not report this version.
        langgraph_py_version: "",
        ...own,
        flags: { ...flags, assistants: true, crons: true },
        metadata: { deployment_id: context.deploymentId, graphs },
      });
    },
  );
  operation(
    api,
    {
      method: "get",
      path: "/metrics",
      group,
      summary: "System Metrics",
      query: MetricsQuery,
      type: "text/plain",
    },
    async ({ c, context, query }) => {
      const { queue, workers } = await requireMeta(context);
      const state = { ...queue, workers };
      if (query.format === "json") return c.json(context.metrics.json(state));
      return c.body(context.metrics.text(state), 200, {
        "content-type": "text/plain; version=0.0.4; charset=utf-8",
      });
    },
  );
}

/**
 * Returns the facts about the agent server. Rejects the request if the configuration of the project disables the
 * server's own routes.
 */
export async function requireMeta(
  context: RequestContext,
): Promise<Awaited<ReturnType<RequestContext["internalApi"]["facts"]>>> {
  const facts = await context.internalApi.facts();
  if (facts.http["disable_meta"] === true) throw new Refusal(404, "Not Found");
  return facts;
}

async function checkData(context: RequestContext): Promise<void> {
  try {
    context.timers().check();
    await context.internalApi.facts();
  } catch (error) {
    throw new Refusal(500, `The data of this deployment cannot be read: ${(error as Error).message}`);
  }
}

const Health = z.object({ ok: z.literal(true) }).openapi("HealthResponse");
const ServerInfo = z
  .looseObject({
    version: z.string(),
    langgraph_py_version: z.string(),
    flags: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
  })
  .openapi("ServerInfo");
const HealthQuery = z.object({ check_db: z.enum(["0", "1", "true", "false"]).optional() });
const MetricsQuery = z.object({ format: z.enum(["prometheus", "json"]).default("prometheus") });
