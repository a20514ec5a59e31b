import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { tokenSummaryOf } from "./tokens";
import type { PlaneDeps } from "../deps";
import { anyScheme, anySecretScheme, json, jsonBody, schemeFailures } from "../routes/answers";
import {
  messageAnswer,
  providerQuery,
  tokenAnswer,
  tokenPatchBody,
  tokenPath,
  tokenStatusAnswer,
} from "./schemas";
import type { PlaneEnvironment } from "../routes/environment";
import { failureAnswer } from "../routes/schemas";

const common = { tags: ["Auth Service (v2)"], security: anyScheme };
const path = "/v2/auth/tokens";
const slackPath = `${path}/workspace/slack`;
const slack = "slack";
const noSuch = { 404: json(failureAnswer, "The token does not exist.") };
const status = { 200: json(tokenStatusAnswer, "States whether the token exists."), ...schemeFailures };

const list = createRoute({
  ...common,
  method: "get",
  path,
  summary: "List Oauth Tokens For User",
  request: { query: z.strictObject(providerQuery.partial().shape) },
  responses: { 200: json(z.array(tokenAnswer), "Newest first."), ...schemeFailures },
});

const removeAll = createRoute({
  ...common,
  security: anySecretScheme,
  method: "delete",
  path,
  summary: "Delete Oauth Tokens For User",
  request: { query: providerQuery },
  responses: {
    200: json(messageAnswer.extend({ provider_id: z.string() }), "The tokens were deleted."),
    ...schemeFailures,
  },
});

const exists = createRoute({
  ...common,
  method: "get",
  path: `${path}/exists`,
  summary: "Check Oauth Token Exists",
  request: { query: providerQuery },
  responses: status,
});

const slackExists = createRoute({
  ...common,
  method: "get",
  path: `${slackPath}/exists`,
  summary: "Check Workspace Slack Tokens Exist",
  responses: status,
});

const removeSlack = createRoute({
  ...common,
  security: anySecretScheme,
  method: "delete",
  path: slackPath,
  summary: "Revoke All Slack Tokens For Workspace",
  responses: { 200: json(messageAnswer, "The tokens were deleted."), ...schemeFailures },
});

const patch = createRoute({
  ...common,
  security: anySecretScheme,
  method: "patch",
  path: `${path}/{token_id}/metadata`,
  summary: "Update Token Label",
  request: { params: tokenPath, body: jsonBody(tokenPatchBody) },
  responses: { 200: json(tokenAnswer, "The token."), ...noSuch, ...schemeFailures },
});

const remove = createRoute({
  ...common,
  security: anySecretScheme,
  method: "delete",
  path: `${path}/{token_id}`,
  summary: "Delete Single Oauth Token",
  request: { params: tokenPath },
  responses: { 204: { description: "The token was deleted." }, ...noSuch, ...schemeFailures },
});

/**
 * Adds the routes that list, label, and delete tokens. A key gives access to the tokens of all users in its
 * organization.
 */
export function tokenRoutes(api: OpenAPIHono<PlaneEnvironment>, { tokens, providers }: PlaneDeps): void {
  /** Returns the Slack providers of the organization. */
  const slackProviders = (organization: string): string[] => [
    slack,
    ...providers
      .list(organization)
      .filter(({ settings }) => settings.providerType === slack)
      .map(({ providerId }) => providerId),
  ];

  api.openapi(list, (c) => {
    const { provider_id } = c.req.valid("query");
    return c.json(tokens.list(c.get("organization").name, provider_id).map(tokenSummaryOf), 200);
  });

  api.openapi(removeAll, (c) => {
    const { provider_id } = c.req.valid("query");
    tokens.removeAll(c.get("organization").name, [provider_id]);
    return c.json({ message: "Tokens revoked.", provider_id }, 200);
  });

  api.openapi(exists, (c) => {
    const { provider_id } = c.req.valid("query");
    return c.json({ has_token: tokens.list(c.get("organization").name, provider_id).length > 0 }, 200);
  });

  api.openapi(slackExists, (c) => {
    const { name } = c.get("organization");
    return c.json({ has_token: slackProviders(name).some((one) => tokens.list(name, one).length > 0) }, 200);
  });

  api.openapi(removeSlack, (c) => {
    const { name } = c.get("organization");
    tokens.removeAll(name, slackProviders(name));
    return c.json({ message: "Slack tokens revoked." }, 200);
  });

  api.openapi(patch, (c) => {
    const { token_id } = c.req.valid("param");
    const token = tokens.update(c.get("organization").name, token_id, c.req.valid("json"));
    return c.json(tokenSummaryOf(token), 200);
  });

  api.openapi(remove, (c) => {
    tokens.remove(c.get("organization").name, c.req.valid("param").token_id);
    return c.body(null, 204);
  });
}
