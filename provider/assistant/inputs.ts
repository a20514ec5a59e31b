import { z } from "zod";
import { jsonObject } from "../resource/inputs/json";
import { requireServer, serverInputs } from "../resource/server";
import { text, unclearable } from "../resource/inputs/shape";
import { adoptInput } from "../resource/ownership/claim";

/** Configuration of an assistant's runs. */
const configInputs = z.strictObject({
  tags: z.array(text).nullish(),
  recursionLimit: z.int().min(1).nullish(),
  /** Values for the graph's own configuration; the graph defines their names. */
  configurable: jsonObject.nullish(),
});

export const assistantInputs = z
  .strictObject({
    ...serverInputs,
    graph: text,
    assistantId: z.guid("must be a UUID").optional(),
    name: unclearable(text, "every assistant on an agent server has a name"),
    description: text.nullish(),
    config: configInputs.nullish(),
    context: jsonObject.nullish(),
    metadata: jsonObject.nullish(),
    pinVersion: z.int().min(1).nullish(),
    adopt: adoptInput.optional(),
  })
  .superRefine(requireServer)
  .refine(({ config, context }) => config?.configurable == null || context == null, {
    message: "cannot be combined with context, because agent servers keep the two identical",
    path: ["config", "configurable"],
  });

export type AssistantInputs = z.infer<typeof assistantInputs>;
