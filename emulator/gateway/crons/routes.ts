import { readPath } from "../assistants/paths";
import { z } from "@hono/zod-openapi";
import type { RequestContext } from "../request/request-context";
import { type Api, operation } from "../request/operation";
import { refuse } from "../request/refusal";
import { selected, withoutNulls } from "../schemas";
import { requireThread } from "../threads/lookup";
import { ThreadPath } from "../threads/schemas";
import { requireOneConfiguration } from "../runs/creation";
import type { NewCron } from "./crons";
import { withoutCronId } from "./record";
import { Cron, CronCount, CronCreate, CronPatch, CronPath, CronSearch, ThreadCronCreate } from "./schemas";

const group = "Crons";
const one = { path: "/runs/crons/{cron_id}", group, params: CronPath, refusals: [404, 422] } as const;

/** Adds the routes for crons, which run assistants on a schedule. */
export function cronRoutes(api: Api): void {
  operation(
    api,
    {
      method: "post",
      path: "/runs/crons",
      group,
      summary: "Create Cron",
      body: CronCreate,
      answer: Cron,
      refusals: [404, 422],
    },
    async ({ c, context, body }) => c.json(context.timers().crons.create(await newCron(context, body, null))),
  );
  operation(
    api,
    {
      method: "post",
      path: "/threads/{thread_id}/runs/crons",
      group,
      summary: "Create Thread Cron",
      params: ThreadPath,
      body: ThreadCronCreate,
      answer: Cron,
      refusals: [404, 422],
    },
    async ({ c, context, params, body }) => {
      await requireThread(context, params.thread_id);
      return c.json(context.timers().crons.create(await newCron(context, body, params.thread_id)));
    },
  );
  operation(
    api,
    {
      method: "post",
      path: "/runs/crons/search",
      group,
      summary: "Search Crons",
      body: CronSearch,
      answer: z.array(Cron),
      refusals: [422],
    },
    async ({ c, context, body: { limit, offset, sort_by: by, sort_order: order, select, ...filter } }) => {
      const crons = context.timers().crons.list(await resolved(context, filter));
      const direction = order === "asc" ? 1 : -1;
      if (by === "created_at" && order === "desc") crons.reverse();
      crons.sort((a, b) => direction * (a[by] ?? "").localeCompare(b[by] ?? ""));
      return c.json(selected(crons.slice(offset, offset + limit), select));
    },
  );
  operation(
    api,
    {
      method: "post",
      path: "/runs/crons/count",
      group,
      summary: "Count Crons",
      body: CronCount,
      answer: z.int(),
      refusals: [404, 422],
    },
    async ({ c, context, body }) => c.json(context.timers().crons.list(await resolved(context, body)).length),
  );
  operation(api, { ...one, method: "get", summary: "Get Cron", answer: Cron }, ({ c, context, params }) => {
    const cron = context.timers().crons.find(params.cron_id);
    if (!cron) throw refuse.noCron(params.cron_id);
    return c.json(cron);
  });
  operation(
    api,
    { ...one, method: "patch", summary: "Update Cron", body: CronPatch, answer: Cron },
    ({ c, context, params, body }) => {
      const { schedule, timezone, end_time, metadata, on_run_completed, enabled, ...payload } = body;
      requireOneConfiguration(withoutCronId(payload));
      const given = {
        schedule,
        timezone,
        metadata,
        on_run_completed,
        enabled,
        payload: withoutNulls(payload),
      };
      const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const end = end_time === undefined ? {} : { end_time: timeOf(end_time) };
      const cron = context.timers().crons.update(params.cron_id, { ...change, ...end });
      if (!cron) throw refuse.noCron(params.cron_id);
      return c.json(cron);
    },
  );
  operation(api, { ...one, method: "delete", summary: "Delete Cron" }, ({ c, context, params }) => {
    if (!context.timers().crons.remove(params.cron_id)) throw refuse.noCron(params.cron_id);
    return c.json({});
  });
}

type Creation =
  z.output<typeof CronCreate> | (z.output<typeof ThreadCronCreate> & { on_run_completed?: never });

async function newCron(context: RequestContext, body: Creation, threadId: string | null): Promise<NewCron> {
  const {
    assistant_id,
    schedule,
    timezone,
    end_time,
    metadata = {},
    enabled,
    on_run_completed,
    ...payload
  } = body;
  requireOneConfiguration(withoutCronId(payload));
  const assistant = await assistantOf(context, assistant_id);
  return {
    assistant_id: assistant,
    thread_id: threadId,
    schedule,
    timezone: timezone ?? null,
    end_time: timeOf(end_time),
    payload: { assistant_id: assistant, ...withoutNulls(payload) },
    metadata,
    on_run_completed: on_run_completed ?? null,
    enabled,
  };
}

/** Returns the ID of an assistant. Resolves a graph name to the graph's default assistant. */
async function assistantOf({ client }: RequestContext, nameOrId: string): Promise<string> {
  const path = readPath(nameOrId);
  return (await client.json<{ assistant_id: string }>("GET", path)).assistant_id;
}

async function resolved<Filter extends { assistant_id?: string | undefined }>(
  context: RequestContext,
  filter: Filter,
): Promise<Filter> {
  if (filter.assistant_id === undefined) return filter;
  const assistantId = await assistantOf(context, filter.assistant_id).catch(() => filter.assistant_id);
  return { ...filter, assistant_id: assistantId };
}

const timeOf = (time: string | null | undefined) => (time == null ? null : Date.parse(time));
