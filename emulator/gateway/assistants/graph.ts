import type { DrawnAssistant } from "../request/internal-api";
import { type Api, operation } from "../request/operation";
import { ask, group } from "./queries";
import { readPlace } from "./paths";
import {
  AssistantPath,
  Graph,
  GraphQuery,
  GraphSchema,
  RecursionQuery,
  SubgraphPath,
  Subgraphs,
} from "./schemas";

/** Schemas of a subgraph, with the runtime's names. */
type RuntimeSchemas = Partial<Record<"input" | "output" | "state" | "config", unknown>>;

/** Adds the routes for the drawing and the schemas of an assistant's graph. */
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
    async ({ c, call, params, query }) => {
      // Requested first, since it determines if the caller may see this assistant.
      const assistant = await call.runtime.json<DrawnAssistant>("GET", readPlace(params.assistant_id));
      return c.json(await call.backstage.drawGraph(assistant, query.xray));
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
    async ({ c, call, params, query }) => {
      const path = readPlace(params.assistant_id, `/subgraphs${recursion(query)}`);
      return c.json(named(await call.runtime.json("GET", path)));
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
    async ({ c, call, params: { assistant_id: id, namespace }, query }) => {
      const path = readPlace(id, `/subgraphs/${encodeURIComponent(namespace)}${recursion(query)}`);
      return c.json(named(await call.runtime.json("GET", path)));
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
    (input) => ask(input, "GET", readPlace(input.params.assistant_id, "/schemas")),
  );
}

function recursion({ recurse }: { recurse?: boolean | undefined }): string {
  return recurse === undefined ? "" : `?recurse=${recurse}`;
}

/** Returns the schemas with the documented names; a graph has its context in its configuration. */
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
