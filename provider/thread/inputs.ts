import { z } from "zod";
import { jsonObject, transportable } from "../resource/inputs/json";
import { requireServer, serverInputs } from "../resource/server";
import { text, unclearable } from "../resource/inputs/shape";
import { adoptInput } from "../resource/ownership/claim";

const update = z.strictObject({
  values: transportable.optional(),
  command: jsonObject.optional(),
  asNode: text,
});

export const threadInputs = z
  .strictObject({
    ...serverInputs,
    threadId: z.guid("must be a UUID").optional(),
    graph: text.nullish(),
    metadata: jsonObject.nullish(),
    ttl: unclearable(
      z.strictObject({
        minutes: z.number().positive("must be positive"),
        strategy: z.enum(["delete", "keep_latest"]).optional(),
      }),
      "the agent server API does not support clearing it; set a long TTL instead",
    ),
    supersteps: z.array(z.strictObject({ updates: z.array(update).min(1) })).optional(),
    state: z.strictObject({ values: transportable, asNode: text.optional() }).optional(),
    forceDelete: z.boolean().optional(),
    adopt: adoptInput.optional(),
  })
  .superRefine(requireServer)
  .refine(({ supersteps, state }) => supersteps === undefined || state === undefined, {
    message: "cannot be combined with supersteps: both are the initial state of the thread",
    path: ["state"],
  })
  .refine(
    ({ supersteps, state, graph }) => (supersteps ?? state) === undefined || typeof graph === "string",
    { message: "is required if the thread has an initial state", path: ["graph"] },
  );

export type ThreadInputs = z.infer<typeof threadInputs>;
