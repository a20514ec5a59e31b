import { jsonOrUndefined } from "../request/body";
import type { RequestContext } from "../request/request-context";
import { type Api, operation } from "../request/operation";
import { Refusal } from "../request/refusal";
import { z } from "@hono/zod-openapi";
import { readPath } from "../assistants/paths";

const group = "MCP";
/** Supported protocol versions. The gateway's responses are valid in all of these versions. */
const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const invalidParams = -32602;
const unknownMethod = -32601;

/**
 * Adds the routes that expose the graphs as tools of the Model Context Protocol, over streamable HTTP without sessions.
 */
export function mcpRoutes(api: Api): void {
  const shared = { path: "/mcp", group, slash: true } as const;
  operation(
    api,
    { ...shared, method: "post", summary: "MCP Post", answer: McpAnswers, refusals: [400, 404, 405, 500] },
    async ({ c, context }) => {
      await requireMcp(context);
      const accept = c.req.header("accept") ?? "";
      if (!accept.includes("application/json") || !accept.includes("text/event-stream"))
        throw new Refusal(400, "Accept must contain both application/json and text/event-stream.");
      const sent = McpMessages.safeParse(await jsonOrUndefined(c.req.raw));
      if (!sent.success) throw new Refusal(400, "The body is not a JSON-RPC 2.0 message.");
      const messages = Array.isArray(sent.data) ? sent.data : [sent.data];
      const asked = messages.filter(({ id, method }) => id !== undefined && method !== undefined);
      if (asked.length === 0) return c.body(null, 202);
      const answers = await Promise.all(asked.map((message) => answer(context, message)));
      return c.json(Array.isArray(sent.data) ? answers : answers[0]!);
    },
  );
  operation(api, { ...shared, method: "get", summary: "MCP Get", refusals: [405] }, ({ c }) =>
    c.json({ detail: "This server has nothing to stream." }, 405, { Allow: "POST" }),
  );
  operation(api, { ...shared, method: "delete", summary: "Terminate Session", refusals: [404] }, ({ c }) =>
    c.json({ detail: "This server has no sessions." }, 404),
  );
}

async function requireMcp(context: RequestContext): Promise<void> {
  if ((await context.internalApi.facts()).http["disable_mcp"] === true) throw new Refusal(404, "Not Found");
}

async function answer(context: RequestContext, { id, method, params = {} }: McpMessage): Promise<object> {
  const result = (value: object) => ({ jsonrpc: "2.0", id, result: value });
  const error = (code: number, message: string) => ({ jsonrpc: "2.0", id, error: { code, message } });
  if (method === "initialize") {
    const asked = String(params["protocolVersion"]);
    return result({
      protocolVersion: versions.includes(asked) ? asked : versions[0],
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: "agent-server", version: "0.1.0" },
    });
  }
  if (method === "ping") return result({});
  if (method === "tools/list") return result({ tools: await listTools(context) });
  if (method !== "tools/call") return error(unknownMethod, `Unknown method: ${method}`);
  try {
    const values = await callTool(context, String(params["name"]), params["arguments"] ?? {});
    const failed = typeof values === "object" && values !== null && "__error__" in values;
    return result({ content: [{ type: "text", text: JSON.stringify(values) }], isError: failed });
  } catch (cause) {
    if (cause instanceof Refusal && cause.status === 404) return error(invalidParams, cause.detail);
    throw cause;
  }
}

const Id = z.union([z.string(), z.number()]);

/** A JSON-RPC request. Without an ID, it is a notification. */
const McpMessage = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: Id.optional(),
    method: z.string().optional(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("McpMessage");
type McpMessage = z.output<typeof McpMessage>;
export const McpMessages = z.union([McpMessage, z.array(McpMessage).min(1)]);

/** A JSON-RPC response to one request. */
const McpAnswer = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: Id,
    result: z.looseObject({}).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .openapi("McpResponse");
const McpAnswers = z.union([McpAnswer, z.array(McpAnswer)]);

interface GraphAssistant {
  assistant_id: string;
  graph_id: string;
  description?: string | null;
}

/** A graph that is exposed as a tool. */
interface Tool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

/** Returns every graph of the deployment as a tool. */
async function listTools({ client, internalApi }: RequestContext): Promise<Tool[]> {
  const { graphs } = await internalApi.facts();
  const tools: Tool[] = [];
  for (const graph of graphs) {
    const path = readPath(graph);
    const { description } = await client.json<GraphAssistant>("GET", path);
    const inputSchema = await inputSchemaOf(client, path);
    tools.push({ name: graph, description: description ?? `Runs the graph "${graph}".`, inputSchema });
  }
  return tools;
}

/** Runs a graph with these arguments as its input. Resolves with its final state. */
async function callTool(context: RequestContext, name: string, input: unknown): Promise<unknown> {
  const { graphs } = await context.internalApi.facts();
  if (!graphs.includes(name)) throw new Refusal(404, `There is no tool "${name}".`);
  return context.client.json("POST", "/runs/wait", { assistant_id: name, input, stream_mode: ["values"] });
}

/**
 * Returns the input schema of a tool, which must be an object schema. If the schema of the graph is unknown, the tool
 * accepts any object.
 */
async function inputSchemaOf(
  client: RequestContext["client"],
  path: string,
): Promise<Record<string, unknown>> {
  try {
    const { input_schema: schema } = await client.json<{ input_schema?: Record<string, unknown> }>(
      "GET",
      `${path}/schemas`,
    );
    if (schema?.["type"] === "object") return schema;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  return { type: "object" };
}
