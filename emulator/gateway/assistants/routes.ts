import { z } from "@hono/zod-openapi";
import { type Api, operation } from "../request/operation";
import { passOn } from "../request/proxy-response";
import { paginationHeaders } from "../request/pagination";
import { requireOneConfiguration } from "../runs/creation";
import { ask, group } from "./queries";
import { changePlace, readPlace } from "./paths";
import {
  Assistant,
  AssistantCount,
  AssistantCreate,
  AssistantPatch,
  AssistantPath,
  AssistantSearch,
  DeletionQuery,
} from "./schemas";

/** Adds the routes of assistants, which are configured instances of graphs. */
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
      return ask(input, "POST", "/assistants", input.body);
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
    async ({ call, body }) => {
      const answer = await call.runtime.send("POST", "/assistants/search", body);
      return passOn(answer, call, { headers: paginationHeaders(answer, body, call) });
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
    (input) => ask(input, "GET", readPlace(input.params.assistant_id)),
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
      return ask(input, "PATCH", changePlace(input.params.assistant_id), input.body);
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
    async ({ c, call, params, query }) => {
      const path = changePlace(params.assistant_id, `?delete_threads=${query.delete_threads ?? false}`);
      const answer = await call.runtime.send("DELETE", path);
      call.book().crons.forgetAssistant(params.assistant_id);
      // The Python runtime answers with an empty body.
      return answer.statusCode === 204 ? c.json({}) : passOn(answer, call);
    },
  );
}
