import { z } from "zod";
import { ListParams, Request, SendParams, TaskQuery } from "../../../emulator/gateway/a2a/schemas";
import { McpMessages } from "../../../emulator/gateway/mcp/routes";
import type { Shape } from "../../../tools/published-facts/facts";
import type { DocumentSchema } from "../../../tools/published-facts/document";
import { shapeOf } from "../../../tools/published-facts/shapes";
import { fc } from "../../properties";
import { published } from "../../published/facts/published";
import { agentServerFacts } from "../../published/judge/documents";
import { known } from "./known-ids";
import type { FuzzRequest } from "./request";
import { requestsOf, type Source } from "./requests";
import type { Hints } from "./values";

/** A URL where no server is listening. */
const hook = "http://127.0.0.1:9/hook";
const message = fc.constantFrom("hi", "ask", "fail", "remember a b", "recall a");
const messages = message.map((content) => [{ role: "user", content }]);
const input = messages.map((all) => ({ messages: all }));
const namespace = fc.constantFrom([], ["fuzz"], ["fuzz", "deep"], ["a:b"]);
const node = fc.constantFrom("answer", "hear", "__start__", "__end__", "*");

/** Values that let requests pass the first checks. */
const hints: Hints = {
  assistant_id: fc.oneof(fc.constantFrom("agent", "agent", "agent", "fussy"), known("assistant_id")),
  graph_id: fc.constantFrom("agent", "agent", "fussy"),
  thread_id: known("thread_id"),
  run_id: known("run_id"),
  cron_id: known("cron_id"),
  checkpoint_id: known("checkpoint_id"),
  contextId: known("thread_id"),
  taskId: known("run_id"),
  id: fc.oneof(known("run_id"), fc.constantFrom<unknown>("1", 1)),
  "thread_ids[]": known("thread_id"),
  "run_ids[]": known("run_id"),
  "ids[]": known("thread_id"),
  namespace,
  namespace_prefix: namespace,
  prefix: namespace,
  suffix: namespace,
  key: fc.constantFrom("one", "two"),
  schedule: fc.constantFrom("0 3 1 1 *", "*/5 * * * *"),
  timezone: fc.constantFrom("Europe/Berlin", "UTC", "Mars/Base"),
  webhook: fc.constant(hook),
  after_seconds: fc.constantFrom(0, 0, 0, 1_000),
  input,
  values: fc.oneof(input, messages),
  as_node: node,
  interrupt_before: fc.oneof(fc.constant("*"), fc.array(node, { maxLength: 2 })),
  interrupt_after: fc.oneof(fc.constant("*"), fc.array(node, { maxLength: 2 })),
  command: fc.oneof(
    fc.record({ resume: fc.constantFrom<unknown>("yes", null, {}) }),
    fc.record({ goto: node, update: input }, { requiredKeys: [] }),
  ),
  checkpoint: fc.record({
    thread_id: known("thread_id"),
    checkpoint_ns: fc.constant(""),
    checkpoint_id: known("checkpoint_id"),
  }),
  version: fc.constantFrom(1, 2, 99),
  metadata: fc.oneof(
    fc.constantFrom({}, { a: 1 }, { "": null }),
    fc
      .constantFrom("agent", "fussy", "none", "__proto__", "constructor", 7)
      .map((graph_id) => ({ graph_id })),
  ),
  channels: fc.constantFrom(["values"], ["lifecycle", "messages"], ["custom:a"]),
  ttl: fc.constantFrom<unknown>(60, { ttl: 60, strategy: "delete" }, { ttl: 1, strategy: "keep_latest" }),
};

/** Facts about the operations that the gateway documents. */
export const own = agentServerFacts();

/** Bodies for protocols that have their own message formats, described by the schemas that read them. */
const jsonRpc: Record<string, Source[]> = {
  "POST /a2a/{assistant_id}": [
    messagesOf("POST /a2a/{assistant_id}", Request, {
      "message/send": SendParams,
      "message/stream": SendParams,
      SendMessage: SendParams,
      SendStreamingMessage: SendParams,
      "tasks/get": TaskQuery,
      GetTask: TaskQuery,
      "tasks/cancel": TaskQuery,
      CancelTask: TaskQuery,
      SubscribeToTask: TaskQuery,
      ListTasks: ListParams,
      "agent/getAuthenticatedExtendedCard": z.object({}),
    }),
  ],
  "POST /mcp/": [
    messagesOf("POST /mcp/", McpMessages, {
      initialize: z.object({ protocolVersion: z.enum(["2025-06-18", "1"]), capabilities: z.object({}) }),
      ping: z.object({}),
      "tools/list": z.object({ cursor: z.string().optional() }),
      "tools/call": z.object({
        name: z.enum(["agent", "fussy"]),
        arguments: z.record(z.string(), z.unknown()),
      }),
      "notifications/initialized": z.object({}),
    }),
  ],
};

/** Returns requests for one documented operation of an agent server. */
export function agentRequests(operation: string): fc.Arbitrary<FuzzRequest> {
  const inOurs = operation.replace(/ (\/mcp)\/$/, " $1");
  const described = [
    { facts: published.agentServer, name: operation },
    { facts: own, name: inOurs },
  ].filter(({ facts, name }) => name in facts.operations);
  return requestsOf(operation, [...described, ...(jsonRpc[operation] ?? [])], hints);
}

/** Returns JSON-RPC messages: calls of each method with the given parameters, and messages with other shapes. */
function messagesOf(operation: string, envelope: z.ZodType, methods: Record<string, z.ZodType>): Source {
  const calls = Object.entries(methods).map(([method, params]): Shape => ({
    type: "object",
    fields: {
      jsonrpc: { enum: ["2.0"], required: true },
      id: { type: "string", required: true },
      method: { enum: [method], required: true },
      params: { ...read(params), required: true },
    },
  }));
  const body = { oneOf: [...calls, read(envelope)] };
  const { parameters, answers } = published.agentServer.operations[operation]!;
  return {
    facts: { operations: { [operation]: { parameters, answers, body } }, schemas: {} },
    name: operation,
  };
}

function read(schema: z.ZodType): Shape {
  return shapeOf(
    z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as DocumentSchema,
  );
}
