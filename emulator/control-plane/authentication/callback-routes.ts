import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type AuthenticationService, completionPath } from "./service";
import type { PlaneDeps } from "../deps";
import { anySecretScheme, json, jsonBody, schemeFailures } from "../routes/answers";
import { callbackQuery, finalizeBody, messageAnswer, providerPath } from "./schemas";
import type { PlaneEnvironment } from "../routes/environment";
import { notice } from "../../notice";
import { failureAnswer, validationAnswer } from "../routes/schemas";

const common = { tags: ["Auth Service (v2)"] };
const page = { description: "A page for the user.", content: { "text/html": { schema: z.string() } } };
const noFlow = { 404: json(failureAnswer, "The provider has no such authentication flow.") };
const invalid = { 422: json(validationAnswer, "The request is not valid.") };

const callback = createRoute({
  ...common,
  method: "get",
  path: "/v2/auth/callback/{provider_id}",
  summary: "Oauth Callback Get",
  request: { params: providerPath, query: callbackQuery },
  responses: { 200: page, ...noFlow, ...invalid },
});

const setup = createRoute({
  ...common,
  method: "get",
  path: "/v2/auth/setup/{provider_id}",
  summary: "Oauth Setup Callback",
  request: {
    params: providerPath,
    query: callbackQuery.extend({
      setup_action: z.string().optional(),
      installation_id: z.coerce.number().int().optional(),
    }),
  },
  responses: { 200: page, ...noFlow, ...invalid },
});

const finalize = createRoute({
  ...common,
  security: anySecretScheme,
  method: "post",
  path: "/v2/auth/callback/{provider_id}",
  summary: "Oauth Callback",
  request: { params: providerPath, body: jsonBody(finalizeBody) },
  responses: { 200: json(messageAnswer, "The flow was completed."), ...noFlow, ...schemeFailures },
});

/**
 * Adds the routes that browsers are redirected to. These routes do not require credentials. No provider is contacted.
 * Any code is accepted, because the local user consents to everything.
 */
export function browserCallbacks(api: OpenAPIHono<PlaneEnvironment>, { authentication }: PlaneDeps): void {
  // The page at the `url` of a pending authentication. Opening it simulates the consent of the user.
  api.get(`${completionPath}/:id`, (c) => {
    authentication.complete(c.req.param("id"));
    return authenticated(c);
  });
  api.openapi(callback, (c) => {
    const { provider_id } = c.req.valid("param");
    return comeBack(c, authentication, provider_id, c.req.valid("query"));
  });
  api.openapi(setup, (c) => {
    const { setup_action, ...query } = c.req.valid("query");
    if (setup_action === "update" || (!query.state && !query.error))
      return c.html(notice("Updated", "The installation was changed. You may close this page."), 200);
    return comeBack(c, authentication, c.req.valid("param").provider_id, query);
  });
}

/** Adds the route that a custom callback page submits the code to. */
export function callbackRoutes(api: OpenAPIHono<PlaneEnvironment>, { authentication }: PlaneDeps): void {
  api.openapi(finalize, (c) => {
    authentication.complete(c.req.valid("json").state, c.req.valid("param").provider_id);
    return c.json({ message: "Authenticated." }, 200);
  });
}

function comeBack(
  c: Context,
  authentication: AuthenticationService,
  provider: string,
  { state = "", error, error_description }: z.infer<typeof callbackQuery>,
) {
  if (error) {
    const why = error_description ? `${error}: ${error_description}` : error;
    return c.html(notice("Not authenticated", `Not authenticated: ${why}.`), 200);
  }
  authentication.complete(state, provider);
  return authenticated(c);
}

function authenticated(c: Context) {
  return c.html(notice("Authenticated", "Authenticated. You may close this page."), 200);
}
