import { z } from "@hono/zod-openapi";

const Id = z.union([z.string(), z.number()]);

/** A JSON-RPC request; without an id it is a notification. */
export const McpMessage = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: Id.optional(),
    method: z.string().optional(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("McpMessage");
export type McpMessage = z.output<typeof McpMessage>;
export const McpMessages = z.union([McpMessage, z.array(McpMessage).min(1)]);

/** An answer to one request. */
const McpAnswer = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: Id,
    result: z.looseObject({}).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .openapi("McpResponse");
export const McpAnswers = z.union([McpAnswer, z.array(McpAnswer)]);
