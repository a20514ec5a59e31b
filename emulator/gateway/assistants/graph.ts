import type { DrawnAssistant } from "../request/internal-api";
import { type Api, operation } from "../request/operation";
import { proxyToAgent, group } from "./queries";
import { readPath } from "./paths";
import {
  AssistantPath,
  Graph,
  GraphQuery,
  GraphSchema,
  RecursionQuery,
  SubgraphPath,
  Subgraphs,
} from "./schemas";

/** Schemas of a subgraph, with the names that the runtime uses. */
type RuntimeSchemas = Partial<Record<"input" | "output" | "state" | "config", unknown>>;

/** Adds the routes that return the drawing and the schemas of an assistant's graph. */
export function assistantGraphRoutes(api: Api): void {
  operation(
    api,
    {
      method: "get",
      path: "/assistants/{assistant_id}/graph",
      group,
      summary: "Get Assistant Graph",
      params: AssistantPath,
      query: GraphQuery,
      answer: Graph,
      refusals: [404, 422],
    },
    async ({ c, context, params, query }) => {
      // Requested first, because it determines whether the caller may see this assistant.
      const assistant = await context.client.json<DrawnAssistant>("GET", readPath(params.assistant_id));
      return c.json(await context.internalApi.drawGraph(assistant, query.xray));
    },
  );
  operation(
    api,
    {
      method: "get",
      path: "/assistants/{assistant_id}/subgraphs",
      group,
      summary: "Get Assistant Subgraphs",
      params: AssistantPath,
      query: RecursionQuery,
      answer: Subgraphs,
      refusals: [404, 422, 503],
    },
    async ({ c, context, params, query }) => {
      const path = readPath(params.assistant_id, `/subgraphs${recursion(query)}`);
      return c.json(named(await context.client.json("GET", path)));
    },
  );
  operation(
    api,
    {
      method: "get",
      path: "/assistants/{assistant_id}/subgraphs/{namespace}",
      group,
      summary: "Get Assistant Subgraphs by Namespace",
      params: SubgraphPath,
      query: RecursionQuery,
      answer: Subgraphs,
      refusals: [404, 422, 503],
    },
    async ({ c, context, params: { assistant_id: id, namespace }, query }) => {
      const path = readPath(id, `/subgraphs/${encodeURIComponent(namespace)}${recursion(query)}`);
      return c.json(named(await context.client.json("GET", path)));
    },
  );
  operation(
    api,
    {
      method: "get",
      path: "/assistants/{assistant_id}/schemas",
      group,
      summary: "Get Assistant Schemas",
      params: AssistantPath,
      answer: GraphSchema,
      refusals: [404, 422, 503],
    },
    (input) => proxyToAgent(input, "GET", readPath(input.params.assistant_id, "/schemas")),
  );
}

function recursion({ recurse }: { recurse?: boolean | undefined }): string {
  return recurse === undefined ? "" : `?recurse=${recurse}`;
}

/** Returns the schemas with the documented names. The context schema of a graph is its configuration schema. */
function named(subgraphs: Record<string, RuntimeSchemas>) {
  return Object.fromEntries(
    Object.entries(subgraphs).map(([namespace, { input, output, state, config }]) => [
      namespace,
      {
        input_schema: input,
        output_schema: output,
        state_schema: state,
        config_schema: config,
        context_schema: config,
      },
    ]),
  );
}
