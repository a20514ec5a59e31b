import { z } from "zod";
import { jsonObject } from "../resource/inputs/json";
import { requireServer, serverInputs } from "../resource/server";
import { text } from "../resource/inputs/shape";

/** How runs of an assistant are configured. */
const configInputs = z.strictObject({
  tags: z.array(text).optional(),
  recursionLimit: z.int().min(1).optional(),
  /** Names and values are the graph's. */
  configurable: jsonObject.optional(),
});

/** Everything a user may say about an assistant. */
export const assistantInputs = z
  .strictObject({
    ...serverInputs,
    graph: text,
    assistantId: z.guid("must be a UUID").optional(),
    name: text.optional(),
    description: text.nullish(),
    config: configInputs.optional(),
    context: jsonObject.optional(),
    metadata: jsonObject.optional(),
    pinVersion: z.int().min(1).nullish(),
    adopt: z.enum(["never", "ifOwned", "always"]).optional(),
  })
  .superRefine(requireServer)
  .refine(({ config, context }) => config?.configurable === undefined || context === undefined, {
    message: "cannot be given together with context: agent servers keep both the same",
    path: ["config", "configurable"],
  });

export type AssistantInputs = z.infer<typeof assistantInputs>;
