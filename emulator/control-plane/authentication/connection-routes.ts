import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { PlaneDeps } from "../deps";
import { anyScheme, anySecretScheme, json, jsonBody, schemeFailures } from "../routes/answers";
import {
  agentPath,
  agentTokenBody,
  connectionAnswer,
  connectionBody,
  connectionsAnswer,
  providerPath,
} from "./schemas";
import type { PlaneEnvironment } from "../routes/environment";
import { failureAnswer, wholeList } from "../routes/schemas";

const common = { tags: ["Agent Connections (v2)"], security: anyScheme };
const path = "/v2/auth/agents/{agent_id}/connections";
const one = json(connectionAnswer, "The connection.");

const list = createRoute({
  ...common,
  method: "get",
  path,
  summary: "List Connections",
  request: { params: agentPath, query: wholeList },
  responses: {
    200: json(connectionsAnswer, "All connections of the agent, oldest first."),
    ...schemeFailures,
  },
});

const create = createRoute({
  ...common,
  security: anySecretScheme,
  method: "post",
  path,
  summary: "Create Connection",
  request: { params: agentPath, body: jsonBody(connectionBody) },
  responses: { 201: one, 404: json(failureAnswer, "The token does not exist."), ...schemeFailures },
});

const remove = createRoute({
  ...common,
  security: anySecretScheme,
  method: "delete",
  path: `${path}/{connection_id}`,
  summary: "Remove Connection",
  request: { params: agentPath.extend({ connection_id: z.string() }) },
  responses: {
    204: { description: "The connection was deleted." },
    404: json(failureAnswer, "The agent has no such connection."),
    ...schemeFailures,
  },
});

const upsertToken = createRoute({
  ...common,
  security: anySecretScheme,
  method: "post",
  path: "/v2/auth/agents/{agent_id}/providers/{provider_id}/tokens",
  summary: "Upsert Agent Provider Token",
  request: { params: agentPath.extend(providerPath.shape), body: jsonBody(agentTokenBody) },
  responses: { 201: one, ...schemeFailures },
});

/** Adds the routes that connect agents to providers. */
export function connectionRoutes(api: OpenAPIHono<PlaneEnvironment>, { connections }: PlaneDeps): void {
  api.openapi(list, (c) => {
    const { agent_id } = c.req.valid("param");
    return c.json({ data: connections.list(c.get("organization").name, agent_id) }, 200);
  });

  api.openapi(create, (c) => {
    const { agent_id } = c.req.valid("param");
    const { oauth_token_id } = c.req.valid("json");
    return c.json(connections.connect(c.get("organization").name, agent_id, oauth_token_id), 201);
  });

  api.openapi(remove, (c) => {
    const { agent_id, connection_id } = c.req.valid("param");
    connections.disconnect(c.get("organization").name, agent_id, connection_id);
    return c.body(null, 204);
  });

  api.openapi(upsertToken, (c) => {
    const { agent_id, provider_id } = c.req.valid("param");
    const connection = connections.connectWithToken(
      c.get("organization").name,
      agent_id,
      provider_id,
      c.req.valid("json"),
    );
    return c.json(connection, 201);
  });
}
