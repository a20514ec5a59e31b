import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { DialectTable } from "../../../wire";
import { parseAuthenticationRequest } from "./authentication-request";
import type { PlaneDeps } from "../deps";
import { anyScheme, json, jsonBody, schemeFailures } from "../routes/answers";
import { authenticateSchemas, waitAnswer, waitPath, waitQuery } from "./schemas";
import type { PlaneEnvironment } from "../routes/environment";

/** Path of the endpoint that authenticates users. */
export const authenticatePath = "/v2/auth/authenticate";

const common = { tags: ["Auth Service (v2)"], security: anyScheme };

const wait = createRoute({
  ...common,
  method: "get",
  path: "/v2/auth/wait/{auth_id}",
  summary: "Wait For Auth Completion",
  request: { params: waitPath, query: waitQuery },
  responses: { 200: json(waitAnswer, "Status of the flow at the end of the wait."), ...schemeFailures },
});

/** Adds the routes that authenticate users and wait for the result. */
export function authenticationRoutes(
  api: OpenAPIHono<PlaneEnvironment>,
  { authentication, dialect }: PlaneDeps,
): void {
  api.openapi(authenticateRoute(dialect), (c) => {
    const found = authentication.authenticate(
      c.get("organization").name,
      parseAuthenticationRequest(c.req.valid("json")),
    );
    const { status, url, auth_id, token } = found;
    return c.json(dialect.widerAuthentication ? found : { status, url, auth_id, token }, 200);
  });

  api.openapi(wait, async (c) => {
    const { auth_id } = c.req.valid("param");
    const { timeout } = c.req.valid("query");
    return c.json(await authentication.wait(c.get("organization").name, auth_id, timeout), 200);
  });
}

function authenticateRoute({ widerAuthentication }: DialectTable) {
  // The TypeScript types are those of the wide schemas, which include all fields of the narrow ones.
  const { body, answer } = (
    widerAuthentication ? authenticateSchemas.wide : authenticateSchemas.narrow
  ) as (typeof authenticateSchemas)["wide"];
  return createRoute({
    ...common,
    method: "post",
    path: authenticatePath,
    summary: "Authenticate",
    request: { body: jsonBody(body) },
    responses: { 200: json(answer, "A token, or the flow that returns one."), ...schemeFailures },
  });
}
