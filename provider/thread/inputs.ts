import { z } from "zod";
import { jsonObject, transportable } from "../resource/inputs/json";
import { requireServer, serverInputs } from "../resource/server";
import { text } from "../resource/inputs/shape";

const update = z.strictObject({
  values: transportable.optional(),
  command: jsonObject.optional(),
  asNode: text,
});

/** Everything a user may say about a thread. */
export const threadInputs = z
  .strictObject({
    ...serverInputs,
    threadId: z.guid("must be a UUID").optional(),
    graph: text.optional(),
    metadata: jsonObject.optional(),
    ttl: z
      .strictObject({
        minutes: z.number().positive("must be more than no time"),
        strategy: z.enum(["delete", "keep_latest"]).optional(),
      })
      .optional(),
    supersteps: z.array(z.strictObject({ updates: z.array(update).min(1) })).optional(),
    state: z.strictObject({ values: transportable, asNode: text.optional() }).optional(),
    forceDelete: z.boolean().optional(),
  })
  .superRefine(requireServer)
  .refine(({ supersteps, state }) => supersteps === undefined || state === undefined, {
    message: "cannot be given together with supersteps: both are the state that the thread begins with",
    path: ["state"],
  })
  .refine(({ supersteps, state, graph }) => (supersteps ?? state) === undefined || graph !== undefined, {
    message: "is required where the thread begins with a state",
    path: ["graph"],
  });

export type ThreadInputs = z.infer<typeof threadInputs>;
