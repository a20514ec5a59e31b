import { z } from "zod";
import { jsonObject, transportable } from "../resource/inputs/json";
import { isOneContext, twoContexts } from "../resource/inputs/run-context";
import { requireServer, serverInputs } from "../resource/server";
import { text } from "../resource/inputs/shape";

export const runInputs = z
  .strictObject({
    ...serverInputs,
    assistant: text,
    threadId: z.guid("must be a UUID").optional(),
    input: transportable.optional(),
    command: jsonObject.optional(),
    config: jsonObject.optional(),
    context: jsonObject.optional(),
    metadata: jsonObject.optional(),
    triggers: z.array(transportable).optional(),
  })
  .superRefine(requireServer)
  .refine(isOneContext, twoContexts);

export type RunInputs = z.infer<typeof runInputs>;
