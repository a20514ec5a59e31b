import { z } from "@hono/zod-openapi";
import { Uuid } from "../schemas";

// Messages have the format of version 0.3 or 1.0 of the protocol, regardless of the method.
const Text = z
  .looseObject({ kind: z.literal("text").optional(), text: z.string() })
  .transform(({ text }) => ({ kind: "text" as const, text }));
const Data = z
  .looseObject({ kind: z.literal("data").optional(), data: z.record(z.string(), z.unknown()) })
  .transform(({ data }) => ({ kind: "data" as const, data }));
const File = z
  .union([
    z.looseObject({ kind: z.literal("file") }),
    z.looseObject({ url: z.string() }),
    z.looseObject({ raw: z.string() }),
  ])
  .transform(() => ({ kind: "file" as const }));

const roles = { user: "user", agent: "agent", ROLE_USER: "user", ROLE_AGENT: "agent" } as const;

/**
 * Returns a schema that treats an empty string as a missing field. One version of the protocol sends empty strings for
 * fields that the other version omits.
 */
const given = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal("").transform(() => undefined), schema]).optional();

export const Message = z
  .looseObject({
    role: z.enum(["user", "agent", "ROLE_USER", "ROLE_AGENT"]).transform((role) => roles[role]),
    parts: z.array(z.union([Text, Data, File])).min(1),
    messageId: z.string(),
    /** ID of the thread that the message belongs to. */
    contextId: given(Uuid),
    /** ID of the task that is waiting for this message. */
    taskId: given(z.string()),
  })
  .openapi("A2AMessage");
export type Message = z.output<typeof Message>;

/** Responses to several interrupts of one task. */
export const Answers = z.looseObject({
  resume: z.array(z.object({ id: z.string(), value: z.unknown() })).min(1),
});

const HistoryLength = z.int().min(0).max(10).optional();

export const SendParams = z.looseObject({
  message: Message,
  configuration: z
    .looseObject({
      /** True if the caller waits for the result; field of protocol version 0.3. */
      blocking: z.boolean().nullish(),
      /** True if the caller does not wait for the result; field of protocol version 1.0. */
      returnImmediately: z.boolean().nullish(),
      historyLength: HistoryLength.nullish(),
    })
    .nullish(),
});
export type SendParams = z.output<typeof SendParams>;

export const TaskQuery = z.looseObject({
  id: z.string(),
  contextId: given(Uuid),
  historyLength: HistoryLength,
});
export type TaskQuery = z.output<typeof TaskQuery>;

export const ListParams = z.looseObject({
  contextId: given(Uuid),
  status: given(z.union([z.literal("TASK_STATE_UNSPECIFIED").transform(() => undefined), z.string()])),
  pageSize: z.int().min(0).max(100).optional(),
  pageToken: given(z.string().regex(/^\d{1,9}$/)),
  historyLength: HistoryLength,
  includeArtifacts: z.boolean().optional(),
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

/** A JSON-RPC response. A stream sends one response per event. */
export const Answer = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number()]).nullable(),
    result: z.looseObject({}).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .openapi("A2AResponse");

export const AgentCard = z
  .looseObject({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    supportedInterfaces: z.array(
      z.looseObject({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() }),
    ),
  })
  .openapi("AgentCard");

export const AgentPath = z.object({ assistant_id: z.string() });
export const CardQuery = z.object({ assistant_id: z.string().optional() });
