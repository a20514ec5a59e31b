import { type Api, operation } from "../call/operation";
import { ask, group, one } from "./asking";
import { AssistantPath, GraphQuery, RecursionQuery, SubgraphPath } from "./schemas";

/** What an assistant's graph looks like, and what goes into it and comes out. */
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
      refusals: [404, 422],
    },
    (input) => {
      // The runtime takes no depth: it shows all subgraphs or none.
      const xray = input.query.xray === undefined ? "" : `?xray=${Boolean(input.query.xray)}`;
      return ask(input, "GET", one(input.params.assistant_id, `/graph${xray}`));
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
      refusals: [404, 422],
    },
    (input) => ask(input, "GET", one(input.params.assistant_id, `/subgraphs${recursion(input)}`)),
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
      refusals: [422],
    },
    (input) => {
      const { assistant_id: id, namespace } = input.params;
      return ask(input, "GET", one(id, `/subgraphs/${encodeURIComponent(namespace)}${recursion(input)}`));
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
      refusals: [404, 422],
    },
    (input) => ask(input, "GET", one(input.params.assistant_id, "/schemas")),
  );
}

function recursion({ query }: { query: { recurse?: boolean | undefined } }): string {
  return query.recurse === undefined ? "" : `?recurse=${query.recurse}`;
}
