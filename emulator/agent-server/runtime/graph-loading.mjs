// Finds and creates graphs. Replaces a module of the runtime (see replacements.mjs). It cannot import
// modules.mjs, which waits for the modules that import this one.
import { HTTPException } from "hono/http-exception";

const server = import.meta.resolve("@langchain/langgraph-api/server");
const load = await import(new URL("./graph/load.mjs", server).href);
const { logError } = await import(new URL("./logging.mjs", server).href);

export const { getAssistantId, getCachedStaticGraphSchema, GRAPHS, GRAPH_SCHEMA, NAMESPACE_GRAPH } = load;

/**
 * Returns the graph with this ID. If the project exports a factory, the factory creates the graph for this
 * configuration. Replaces a function of the runtime that reports a failing factory as a server error, and that treats
 * inherited object properties as graphs and modifies these objects.
 */
export async function getGraph(graphId, config, options) {
  requireGraph(graphId);
  try {
    return await load.getGraph(graphId, config, options);
  } catch (error) {
    if (error instanceof HTTPException) throw error;
    logError(error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new HTTPException(422, { message: `The graph "${graphId}" cannot be created: ${reason}` });
  }
}

/**
 * Rejects a graph ID that the project does not have.
 *
 * @throws HTTPException 404
 */
export function requireGraph(graphId) {
  if (!Object.hasOwn(GRAPHS, graphId))
    throw new HTTPException(404, { message: `Graph "${graphId}" not found` });
}
