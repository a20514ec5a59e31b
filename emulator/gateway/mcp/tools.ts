import { readPath } from "../assistants/paths";
import type { RequestContext } from "../request/request-context";
import { Refusal } from "../request/refusal";

interface GraphAssistant {
  assistant_id: string;
  graph_id: string;
  description?: string | null;
}

/** A graph as a tool. */
export interface Tool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

/** Returns every graph of the deployment as a tool. */
export async function listTools({ client, internalApi }: RequestContext): Promise<Tool[]> {
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

/** Runs a graph with these arguments as its input; resolves with its final state. */
export async function callTool(context: RequestContext, name: string, input: unknown): Promise<unknown> {
  const { graphs } = await context.internalApi.facts();
  if (!graphs.includes(name)) throw new Refusal(404, `There is no tool "${name}".`);
  return context.client.json("POST", "/runs/wait", { assistant_id: name, input, stream_mode: ["values"] });
}

/**
 * Returns the input schema of a tool, which must be that of an object; a graph with an unknown schema accepts any
 * object.
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
