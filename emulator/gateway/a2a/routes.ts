import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { jsonOrUndefined } from "../request/body";
import type { RequestContext } from "../request/request-context";
import { eventStream, stopped } from "../request/truncated-stream";
import { withHeartbeat } from "../request/heartbeat";
import { type Api, operation } from "../request/operation";
import { Refusal } from "../request/refusal";
import { code, Fault } from "./fault";
import { listTasks } from "./listing";
import { cancelTask, getTask, sendMessage } from "./methods";
import {
  AgentCard,
  AgentPath,
  Answer,
  CardQuery,
  ListParams,
  Request,
  SendParams,
  TaskQuery,
} from "./schemas";
import { streamMessage } from "./streaming";
import { eventInVersion1, taskInVersion1 } from "./version-1";
import { readPath } from "../assistants/paths";

const group = "A2A";

/** Call of a protocol method, with its context. */
interface MethodCall {
  context: RequestContext;
  assistant: DescribedAssistant;
  /** URL of the agent server. */
  url: string;
  params: unknown;
}

/** Methods, by name. Versions 0.3 and 1.0 of the protocol have the same methods with different names. */
const methods: Record<string, (asked: MethodCall) => Promise<object>> = {
  "message/send": ({ context, assistant, params }) =>
    sendMessage(context, assistant.assistant_id, valid(SendParams, params)),
  SendMessage: async (asked) => ({
    task: taskInVersion1(
      await sendMessage(asked.context, asked.assistant.assistant_id, valid(SendParams, asked.params)),
    ),
  }),
  "tasks/get": ({ context, params }) => getTask(context, valid(TaskQuery, params)),
  GetTask: async ({ context, params }) => taskInVersion1(await getTask(context, valid(TaskQuery, params))),
  "tasks/cancel": ({ context, params }) => cancelTask(context, valid(TaskQuery, params)),
  CancelTask: async ({ context, params }) =>
    taskInVersion1(await cancelTask(context, valid(TaskQuery, params))),
  ListTasks: async ({ context, assistant, params = {} }) => {
    const { tasks, ...page } = await listTasks(context, assistant.assistant_id, valid(ListParams, params));
    return { tasks: tasks.map(taskInVersion1), ...page };
  },
  GetExtendedAgentCard: ({ assistant, url }) => Promise.resolve(agentCard(assistant, url, "1.0")),
};
const same = (event: object) => event;
const streams: Record<string, (event: Parameters<typeof eventInVersion1>[0]) => object> = {
  "message/stream": same,
  SendStreamingMessage: eventInVersion1,
};

/** Adds the routes that expose assistants as agents of the A2A protocol. */
export function a2aRoutes(api: Api): void {
  operation(
    api,
    {
      method: "get",
      path: "/.well-known/agent-card.json",
      group,
      summary: "Agent card",
      query: CardQuery,
      answer: AgentCard,
      refusals: [404],
    },
    async ({ c, context, query }) => {
      await requireA2a(context);
      const assistant = await describedAssistant(context, query.assistant_id);
      c.header("Vary", "A2A-Version");
      return c.json(agentCard(assistant, urlOf(c, context), c.req.header("a2a-version")));
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
      answer: Answer,
      refusals: [400, 404, 500],
    },
    async ({ c, context, params }) => {
      await requireA2a(context);
      const assistant = await describedAssistant(context, params.assistant_id);
      const sent = Request.safeParse(await jsonOrUndefined(c.req.raw));
      if (!sent.success) return fault(c, null, new Fault(code.invalidRequest, "Not a JSON-RPC 2.0 request"));
      try {
        return await answer(
          c,
          { context, assistant, url: urlOf(c, context), params: sent.data.params },
          sent.data,
        );
      } catch (error) {
        const known = error instanceof Refusal ? faultOf(error) : error;
        if (known instanceof Fault) return fault(c, sent.data.id, known);
        throw error;
      }
    },
  );
}

async function answer(c: Context, asked: MethodCall, { id, method }: Request): Promise<Response> {
  const result = (value: object) => ({ jsonrpc: "2.0", id, result: value });
  if (Object.hasOwn(streams, method)) {
    requireAccept(c, "text/event-stream");
    const params = valid(SendParams, asked.params);
    const events = streamMessage(asked.context, asked.assistant.assistant_id, params);
    // If a task cannot be started, the response is an error, not a stream.
    const first = await events.next();
    const response = streamSSE(c, async (stream) => {
      const write = (data: object) => stream.writeSSE({ data: JSON.stringify(data) });
      try {
        for (let next = first; !next.done; next = await events.next())
          await write(result(streams[method]!(next.value)));
      } catch (error) {
        const cut = (error as NodeJS.ErrnoException).code === "ECONNRESET";
        if (!cut && !(error instanceof Refusal)) throw error;
        const message = error instanceof Refusal ? error.detail : stopped.message;
        await write({ jsonrpc: "2.0", id, error: { code: code.internal, message } });
      }
    });
    return new Response(withHeartbeat(response.body!, eventStream.heartbeat, asked.context.clock), response);
  }
  if (!Object.hasOwn(methods, method)) throw new Fault(code.unknownMethod, `Unknown method: ${method}`);
  requireAccept(c, "application/json");
  return c.json(result(await methods[method]!(asked)));
}

const urlOf = (c: Context, { base }: RequestContext) => new URL(c.req.raw.url).origin + base;

/** Returns the A2A error for a request that the runtime rejected because of its parameters. */
function faultOf({ status, detail }: Refusal): Fault | undefined {
  return [400, 404, 409, 422].includes(status) ? new Fault(code.invalidParams, detail) : undefined;
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
    throw new Fault(code.invalidRequest, `Accept must contain ${type}`);
}

function fault(c: Context, id: string | number | null, { code, message, status }: Fault): Response {
  return c.json({ jsonrpc: "2.0", id, error: { code, message } }, status);
}

async function requireA2a(context: RequestContext): Promise<void> {
  if ((await context.internalApi.facts()).http["disable_a2a"] === true) throw new Refusal(404, "Not Found");
}

interface DescribedAssistant {
  assistant_id: string;
  name: string;
  description?: string | null;
}

/**
 * Returns the assistant with this ID, or the default assistant of the graph with this name. If `assistantId` is
 * undefined, returns the default assistant of the first graph.
 */
async function describedAssistant(
  { client, internalApi }: Pick<RequestContext, "client" | "internalApi">,
  assistantId?: string,
): Promise<DescribedAssistant> {
  const asked = assistantId ?? (await internalApi.facts()).graphs[0]!;
  return client.json<DescribedAssistant>("GET", readPath(asked));
}

/**
 * Returns the agent card of an assistant, in either version of the protocol. Clients for version 1.0 specify the
 * version when they request the card; other clients find their interface in the card for version 0.3.
 */
function agentCard(
  { assistant_id: id, name, description }: DescribedAssistant,
  url: string,
  version: string | undefined,
) {
  const about = description ?? `The assistant "${name}".`;
  const at = { url: `${url}/a2a/${id}`, protocolBinding: "JSONRPC" };
  const shared = {
    name,
    description: about,
    version: "1.0.0",
    supportedInterfaces: ["1.0", "0.3"].map((protocolVersion) => ({ ...at, protocolVersion })),
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: [{ id: "main", name, description: about, tags: ["assistant"] }],
  };
  if (version?.startsWith("1."))
    return {
      ...shared,
      securitySchemes: { apiKey: { apiKeySecurityScheme: { location: "header", name: "X-Api-Key" } } },
      securityRequirements: [{ schemes: { apiKey: { list: [] } } }],
    };
  return {
    ...shared,
    protocolVersion: "0.3.0",
    url: at.url,
    preferredTransport: at.protocolBinding,
    securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "X-Api-Key" } },
    security: [{ apiKey: [] }],
  };
}
