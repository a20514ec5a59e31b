import { z } from "@hono/zod-openapi";
import { isSchedule, isTimeZone } from "../../../wire/cron-schedule";
import { execution, strategies } from "../runs/schemas";
import { Metadata, page, selection, Time, Uuid } from "../schemas";

const Schedule = z
  .string()
  .refine(isSchedule, {
    message: 'Not a cron schedule: use five fields, six fields (seconds last), or a name such as "@daily"',
  });
const TimeZone = z.string().refine(isTimeZone, { message: "Not an IANA time zone" });
/** End time. A time without an offset is in UTC. */
const EndTime = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
    error: 'Not a time such as "2027-01-31T18:00:00Z"',
  })
  .transform((time) => (/T[^-+Z]*$/.test(time) ? `${time}Z` : time))
  .openapi({ type: "string", format: "date-time" });
const Input = z.union([z.array(Metadata), Metadata]);

const fields = [
  "cron_id",
  "assistant_id",
  "thread_id",
  "on_run_completed",
  "end_time",
  "schedule",
  "timezone",
  "created_at",
  "updated_at",
  "user_id",
  "payload",
  "next_run_date",
  "metadata",
  "enabled",
] as const;

export const Cron = z
  .object({
    cron_id: Uuid,
    assistant_id: Uuid.nullable(),
    thread_id: Uuid.nullable(),
    end_time: Time.nullable(),
    schedule: z.string(),
    timezone: z.string().nullable(),
    created_at: Time,
    updated_at: Time,
    user_id: z.string().nullable(),
    payload: Metadata,
    next_run_date: Time.nullable(),
    metadata: Metadata,
    on_run_completed: z.enum(["delete", "keep"]).nullable(),
    enabled: z.boolean(),
  })
  .openapi("Cron");
export type Cron = z.output<typeof Cron>;

const creation = {
  ...execution,
  schedule: Schedule,
  timezone: TimeZone.optional(),
  end_time: EndTime.optional(),
  input: Input.optional(),
  enabled: z.boolean().default(true),
};

export const CronCreate = z
  .object({ ...creation, on_run_completed: z.enum(["delete", "keep"]).default("delete") })
  .openapi("CronCreate");
export const ThreadCronCreate = z
  .object({ ...creation, multitask_strategy: z.enum(strategies).default("enqueue") })
  .openapi("ThreadCronCreate");

const { assistant_id: _, ...execute } = execution;
export const CronPatch = z
  .object({
    ...execute,
    schedule: Schedule.optional(),
    timezone: TimeZone.optional(),
    end_time: EndTime.nullish().openapi({ type: ["string", "null"] }),
    input: Input.optional(),
    on_run_completed: z.enum(["delete", "keep"]).optional(),
    enabled: z.boolean().optional(),
  })
  .openapi("CronPatch");

const filter = {
  assistant_id: z.string().optional(),
  thread_id: Uuid.optional(),
  metadata: Metadata.optional(),
};
export const CronCount = z.looseObject(filter).openapi("CronCountRequest");
export const CronSearch = z
  .looseObject({
    ...filter,
    enabled: z.boolean().optional(),
    ...page(),
    sort_by: z
      .enum(["cron_id", "assistant_id", "thread_id", "next_run_date", "end_time", "created_at", "updated_at"])
      .default("created_at"),
    sort_order: z.enum(["asc", "desc"]).default("desc"),
    select: selection(fields),
  })
  .openapi("CronSearch");
export const CronPath = z.object({ cron_id: Uuid });
