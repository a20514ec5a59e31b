import { z } from "@hono/zod-openapi";
import { type Api, operation } from "../request/operation";
import { proxyResponse } from "../request/proxy-response";
import { paginationHeaders } from "../request/pagination";
import { isFilled, requireOneConfiguration } from "../runs/creation";
import { proxyToAgent, group } from "./queries";
import { writePath, readPath } from "./paths";
import {
  Assistant,
  AssistantCount,
  AssistantCreate,
  AssistantPatch,
  AssistantPath,
  AssistantSearch,
  DeletionQuery,
} from "./schemas";

/** Adds the routes for assistants, which are configured instances of graphs. */
export function assistantRoutes(api: Api): void {
  operation(
    api,
    {
      method: "post",
      path: "/assistants",
      group,
      summary: "Create Assistant",
      body: AssistantCreate,
      answer: Assistant,
      refusals: [400, 404, 409, 422],
    },
    (input) => {
      requireOneConfiguration(input.body);
      return proxyToAgent(input, "POST", "/assistants", input.body);
    },
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
    async ({ context, body }) => {
      const answer = await context.client.send("POST", "/assistants/search", body);
      return proxyResponse(answer, context, { headers: paginationHeaders(answer, body, context) });
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
    (input) => proxyToAgent(input, "POST", "/assistants/count", input.body),
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
    (input) => proxyToAgent(input, "GET", readPath(input.params.assistant_id)),
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
      refusals: [400, 404, 422],
    },
    (input) => {
      requireOneConfiguration(input.body);
      const { config, ...others } = input.body;
      // The Python runtime ignores an empty configuration, whereas the JavaScript runtime would store it.
      const isIgnored = !isFilled(config) && !isFilled(others.context);
      const body = isIgnored ? others : input.body;
      return proxyToAgent(input, "PATCH", writePath(input.params.assistant_id), body);
    },
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
    async ({ c, context, params, query }) => {
      const path = writePath(params.assistant_id, `?delete_threads=${query.delete_threads ?? false}`);
      const answer = await context.client.send("DELETE", path);
      context.timers().crons.forgetAssistant(params.assistant_id);
      // The Python runtime responds with an empty body.
      return answer.statusCode === 204 ? c.json({}) : proxyResponse(answer, context);
    },
  );
}
