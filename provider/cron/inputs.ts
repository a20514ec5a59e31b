import { z } from "zod";
import { jsonObject, transportable } from "../resource/inputs/json";
import { requireServer, serverInputs } from "../resource/server";
import { text } from "../resource/inputs/shape";
import { isSchedule, isTimeZone } from "./schedule";

const nodes = z.union([z.literal("*"), z.array(text)]);

/** Everything a user may say about a cron. */
export const cronInputs = z
  .strictObject({
    ...serverInputs,
    assistant: text,
    schedule: text.refine(isSchedule, {
      message: 'must have five fields, such as "0 9 * * 1-5": minute, hour, day, month and day of the week',
    }),
    timezone: text
      .refine(isTimeZone, { message: 'must be the name of a time zone, such as "Europe/Berlin"' })
      .optional(),
    endTime: z.iso
      .datetime({ offset: true, error: 'must be a time such as "2027-01-31T18:00:00Z"' })
      .nullish(),
    enabled: z.boolean().optional(),
    threadId: z.guid("must be a UUID").optional(),
    input: transportable.optional(),
    config: jsonObject.optional(),
    context: jsonObject.optional(),
    metadata: jsonObject.optional(),
    webhook: text.optional(),
    interruptBefore: nodes.optional(),
    interruptAfter: nodes.optional(),
    onRunCompleted: z.enum(["delete", "keep"]).optional(),
    multitaskStrategy: z.enum(["reject", "interrupt", "rollback", "enqueue"]).optional(),
    durability: z.enum(["sync", "async", "exit"]).optional(),
    cronId: text.optional(),
  })
  .superRefine(requireServer)
  .refine(({ threadId, onRunCompleted }) => threadId === undefined || onRunCompleted === undefined, {
    message: "is for runs on threads of their own; with threadId, the thread stays",
    path: ["onRunCompleted"],
  })
  .refine(({ threadId, multitaskStrategy }) => threadId !== undefined || multitaskStrategy === undefined, {
    message: "is for runs on one thread; give threadId, or leave it out",
    path: ["multitaskStrategy"],
  });

export type CronInputs = z.infer<typeof cronInputs>;
