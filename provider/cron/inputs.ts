import { z } from "zod";
import { isSchedule, isTimeZone, neverFires } from "../../wire/cron-schedule";
import { jsonObject, transportable } from "../resource/inputs/json";
import { isOneContext, twoContexts } from "../resource/inputs/run-context";
import { isGroup } from "../resource/inputs/values";
import { text } from "../resource/inputs/shape";
import { adoptInput } from "../resource/ownership/claim";
import { requireServer, serverInputs } from "../resource/server";

const nodes = z.union([z.literal("*"), z.array(text)]);

/** Input of runs. Crons accept fewer types than other runs. */
const input = transportable.superRefine((value, context) => {
  const message = "must be an object or a list of objects";
  if (value === null || value === undefined || isGroup(value)) return;
  if (!Array.isArray(value)) context.addIssue({ code: "custom", message });
  else
    for (const [index, item] of value.entries())
      if (!isGroup(item)) context.addIssue({ code: "custom", message, path: [index] });
});

export const cronInputs = z
  .strictObject({
    ...serverInputs,
    assistant: text,
    schedule: text
      .refine(isSchedule, {
        message:
          'must have five fields, such as "0 9 * * 1-5" (minute, hour, day, month, and day of the week), six with the ' +
          'seconds last, or be a name such as "@daily"',
      })
      .refine((schedule) => !isSchedule(schedule) || !neverFires(schedule), {
        message: "matches no time, so the cron would never run",
      }),
    timezone: text
      .refine(isTimeZone, { message: 'must be the name of a time zone, such as "Europe/Berlin"' })
      .nullish(),
    endTime: z.iso
      .datetime({ offset: true, error: 'must be a time such as "2027-01-31T18:00:00Z"' })
      .nullish(),
    enabled: z.boolean().nullish(),
    threadId: z.guid("must be a UUID").optional(),
    input: input.optional(),
    config: jsonObject.nullish(),
    context: jsonObject.nullish(),
    metadata: jsonObject.nullish(),
    webhook: text
      .regex(/^\S*$/, 'must be a URL or a path without spaces, such as "https://hooks.example.com/report"')
      .nullish(),
    interruptBefore: nodes.nullish(),
    interruptAfter: nodes.nullish(),
    onRunCompleted: z.enum(["delete", "keep"]).nullish(),
    multitaskStrategy: z.enum(["reject", "interrupt", "rollback", "enqueue"]).nullish(),
    durability: z.enum(["sync", "async", "exit"]).nullish(),
    cronId: z.guid("must be a UUID").optional(),
    adopt: adoptInput.optional(),
  })
  .superRefine(requireServer)
  .refine(isOneContext, twoContexts)
  .refine(({ threadId, onRunCompleted }) => threadId === undefined || onRunCompleted == null, {
    message: "cannot be combined with threadId, because the thread is kept",
    path: ["onRunCompleted"],
  })
  .refine(({ threadId, multitaskStrategy }) => threadId !== undefined || multitaskStrategy == null, {
    message: "requires threadId: without it, each run has its own thread",
    path: ["multitaskStrategy"],
  });

export type CronInputs = z.infer<typeof cronInputs>;
