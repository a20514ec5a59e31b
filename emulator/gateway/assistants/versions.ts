import { z } from "@hono/zod-openapi";
import { type Api, operation } from "../request/operation";
import { Refusal } from "../request/refusal";
import { proxyToAgent, group } from "./queries";
import { writePath } from "./paths";
import { Assistant, AssistantPath, AssistantVersionChange, AssistantVersions, VersionQuery } from "./schemas";

/** Adds the routes for versions. Every change to an assistant creates a version that can be restored. */
export function assistantVersionRoutes(api: Api): void {
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
    (input) => proxyToAgent(input, "POST", writePath(input.params.assistant_id, "/versions"), input.body),
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
      // Documented as a query parameter, but the official clients send it in the body.
      const version = input.query.version ?? input.body.version;
      if (version === undefined) throw new Refusal(422, "version: Required");
      return proxyToAgent(input, "POST", writePath(input.params.assistant_id, "/latest"), { version });
    },
  );
}
