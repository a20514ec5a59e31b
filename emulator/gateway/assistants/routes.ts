import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Call } from "../call/call";
import { type Api, operation } from "../call/operation";
import { passOn } from "../call/passing";
import { Refusal } from "../call/refusal";
import { paginationHeaders } from "../pagination";
import { withoutNulls } from "../schemas";
import {
  Assistant,
  AssistantCount,
  AssistantCreate,
  AssistantPatch,
  AssistantPath,
  AssistantSearch,
  AssistantVersionChange,
  AssistantVersions,
  DeletionQuery,
  GraphQuery,
  RecursionQuery,
  SubgraphPath,
  VersionQuery,
} from "./schemas";

const group = "Assistants";

/** Configured instances of graphs, with their versions. */
export function assistantRoutes(api: Api): void {
  const ask = async ({ call }: { call: Call }, method: string, path: string, body?: object) =>
    passOn(await call.runtime.send(method, path, body && withoutNulls(body)), call);
  const one = (id: string, rest = "") => `/assistants/${encodeURIComponent(id)}${rest}`;

  operation(
    api,
    {
      method: "post",
      path: "/assistants",
      group,
      summary: "Create Assistant",
      body: AssistantCreate,
      answer: Assistant,
      refusals: [404, 409, 422],
    },
    (input) => ask(input, "POST", "/assistants", input.body),
  );
  operation(
    api,
    {
      method: "post",
      path: "/assistants/search",
      group,
      summary: "Search Assistants",
      body: AssistantSearch,
      answer: z.array(Assistant),
      refusals: [404, 422],
    },
    async ({ call, body }) => {
      const answer = await call.runtime.send("POST", "/assistants/search", body);
      return passOn(answer, call, { headers: paginationHeaders(answer, body) });
    },
  );
  operation(
    api,
    {
      method: "post",
      path: "/assistants/count",
      group,
      summary: "Count Assistants",
      body: AssistantCount,
      answer: z.int(),
      refusals: [404, 422],
    },
    (input) => ask(input, "POST", "/assistants/count", input.body),
  );
  operation(
    api,
    {
      method: "get",
      path: "/assistants/{assistant_id}",
      group,
      summary: "Get Assistant",
      params: AssistantPath,
      answer: Assistant,
      refusals: [404],
    },
    (input) => ask(input, "GET", one(input.params.assistant_id)),
  );
  operation(
    api,
    {
      method: "patch",
      path: "/assistants/{assistant_id}",
      group,
      summary: "Patch Assistant",
      params: AssistantPath,
      body: AssistantPatch,
      answer: Assistant,
      refusals: [404, 422],
    },
    (input) => ask(input, "PATCH", one(input.params.assistant_id), input.body),
  );
  operation(
    api,
    {
      method: "delete",
      path: "/assistants/{assistant_id}",
      group,
      summary: "Delete Assistant",
      params: AssistantPath,
      query: DeletionQuery,
      refusals: [404, 422],
    },
    async ({ call, params, query }) => {
      const path = one(params.assistant_id, `?delete_threads=${query.delete_threads ?? false}`);
      const answer = await call.runtime.send("DELETE", path);
      call.book().crons.forgetAssistant(params.assistant_id);
      return passOn(answer, call);
    },
  );
  operation(
    api,
    {
      method: "post",
      path: "/assistants/{assistant_id}/versions",
      group,
      summary: "Get Assistant Versions",
      params: AssistantPath,
      body: AssistantVersions,
      answer: z.array(Assistant),
      refusals: [404, 422],
    },
    (input) => ask(input, "POST", one(input.params.assistant_id, "/versions"), input.body),
  );
  operation(
    api,
    {
      method: "post",
      path: "/assistants/{assistant_id}/latest",
      group,
      summary: "Set Latest Assistant Version",
      params: AssistantPath,
      query: VersionQuery,
      body: AssistantVersionChange,
      answer: Assistant,
      refusals: [404, 422],
    },
    (input) => {
      // Documented as a query parameter, sent in the body by the official clients.
      const version = input.query.version ?? input.body.version;
      if (version === undefined) throw new Refusal(422, "version: Required");
      return ask(input, "POST", one(input.params.assistant_id, "/latest"), { version });
    },
  );
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
      // How deep to look is more than the runtime can be told: it shows all subgraphs or none.
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

function recursion({ query }: { query: { recurse?: boolean | undefined }; c: Context }): string {
  return query.recurse === undefined ? "" : `?recurse=${query.recurse}`;
}
