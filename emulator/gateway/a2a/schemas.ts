import { z } from "@hono/zod-openapi";
import { Uuid } from "../schemas";

const Part = z.union([
  z.looseObject({ kind: z.literal("text"), text: z.string() }),
  z.looseObject({ kind: z.literal("data"), data: z.record(z.string(), z.unknown()) }),
]);

export const Message = z
  .looseObject({
    role: z.enum(["user", "agent"]),
    parts: z.array(Part).min(1),
    messageId: z.string(),
    /** A thread. */
    contextId: Uuid.optional(),
  })
  .openapi("A2AMessage");
export type Message = z.output<typeof Message>;

export const SendParams = z.looseObject({ message: Message });
export const TaskQuery = z.looseObject({
  id: Uuid,
  contextId: Uuid.optional(),
  historyLength: z.int().min(0).max(10).optional(),
});

export const Request = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number()]),
    method: z.string(),
    params: z.unknown().optional(),
  })
  .openapi("A2ARequest");
export type Request = z.output<typeof Request>;

export const AgentPath = z.object({ assistant_id: z.string() });
export const CardQuery = z.object({ assistant_id: z.string().optional() });
