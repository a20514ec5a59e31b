import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { jsonOrNothing } from "../call/body";
import type { Call } from "../call/call";
import { stopped } from "../call/cut";
import { type Api, operation } from "../call/operation";
import { Refusal } from "../call/refusal";
import { agentCard } from "./card";
import { sendMessage, streamMessage } from "./methods";
import { AgentPath, CardQuery, Request, SendParams, TaskQuery } from "./schemas";
import { taskOf } from "./task";

const group = "A2A";
const code = {
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  noTask: -32001,
  unsupported: -32004,
  internal: -32603,
};

/** A fault in the words of JSON-RPC. */
class Fault extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status: 200 | 400 = 400,
  ) {
    super(message);
  }
}

/** Assistants as agents that other agents talk to. */
export function a2aRoutes(api: Api): void {
  operation(
    api,
    {
      method: "get",
      path: "/.well-known/agent-card.json",
      group,
      summary: "Agent card",
      query: CardQuery,
      refusals: [404],
    },
    async ({ c, call, query }) => {
      await requireA2a(call);
      return c.json(await agentCard(call, query.assistant_id, new URL(c.req.raw.url).origin));
    },
  );
  operation(
    api,
    {
      method: "post",
      path: "/a2a/{assistant_id}",
      group,
      summary: "A2A JSON-RPC",
      params: AgentPath,
      refusals: [400, 404, 500],
    },
    async ({ c, call, params }) => {
      await requireA2a(call);
      const assistant = `/assistants/${encodeURIComponent(params.assistant_id)}`;
      (await call.runtime.send("GET", assistant)).resume();
      const sent = Request.safeParse(await jsonOrNothing(c.req.raw));
      if (!sent.success) return fault(c, null, new Fault(code.invalidRequest, "Not a JSON-RPC 2.0 request"));
      try {
        return await answer(c, call, params.assistant_id, sent.data);
      } catch (error) {
        if (error instanceof Fault) return fault(c, sent.data.id, error);
        throw error;
      }
    },
  );
}

async function answer(
  c: Context,
  call: Call,
  assistantId: string,
  { id, method, params }: Request,
): Promise<Response> {
  const result = (value: object) => ({ jsonrpc: "2.0", id, result: value });
  requireAccept(c, method === "message/stream" ? "text/event-stream" : "application/json");
  if (method === "message/send") {
    const { message } = valid(SendParams, params);
    return c.json(result(await sendMessage(call, assistantId, message)));
  }
  if (method === "message/stream") {
    const { message } = valid(SendParams, params);
    return streamSSE(c, async (stream) => {
      const write = (data: object) => stream.writeSSE({ data: JSON.stringify(data) });
      try {
        for await (const event of streamMessage(call, assistantId, message)) await write(result(event));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ECONNRESET") throw error;
        await write({ jsonrpc: "2.0", id, error: { code: code.internal, message: stopped.message } });
      }
    });
  }
  if (method === "tasks/get") {
    const { id: taskId, contextId = call.book().contextOf(taskId), historyLength } = valid(TaskQuery, params);
    if (contextId === undefined) throw new Fault(code.noTask, "Task not found", 200);
    const task = await taskOf(call, contextId, taskId, historyLength).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404)
        throw new Fault(code.noTask, "Task not found", 200);
      throw error;
    });
    return c.json(result(task));
  }
  if (method === "tasks/cancel") throw new Fault(code.unsupported, "Tasks cannot be cancelled", 200);
  throw new Fault(code.unknownMethod, `Unknown method: ${method}`);
}

function valid<Value>(
  schema: {
    safeParse(value: unknown): {
      success: boolean;
      data?: Value;
      error?: { issues: { path: PropertyKey[]; message: string }[] };
    };
  },
  params: unknown,
): Value {
  const { success, data, error } = schema.safeParse(params);
  if (success) return data as Value;
  const [issue] = error!.issues;
  throw new Fault(code.invalidParams, `${issue!.path.map(String).join(".") || "params"}: ${issue!.message}`);
}

function requireAccept(c: Context, type: string): void {
  const accept = c.req.header("accept") ?? "";
  if (!accept.includes(type) && !accept.includes("*/*"))
    throw new Fault(code.invalidRequest, `Accept must name ${type}`);
}

function fault(c: Context, id: string | number | null, { code, message, status }: Fault): Response {
  return c.json({ jsonrpc: "2.0", id, error: { code, message } }, status);
}

async function requireA2a(call: Call): Promise<void> {
  if ((await call.backstage.facts()).http["disable_a2a"] === true) throw new Refusal(404, "Not Found");
}
