import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { completionPath } from "../authentication/service";
import type { PlaneParts } from "../parts";
import { anyScheme, json, jsonBody } from "./answers";
import type { PlaneEnvironment } from "./environment";
import { authenticateAnswer, authenticateBody, failureAnswer, validationAnswer } from "./schemas";

const authenticate = createRoute({
  method: "post",
  path: "/v2/auth/authenticate",
  tags: ["Auth Service (v2)"],
  security: anyScheme,
  summary: "Authenticate",
  request: { body: jsonBody(authenticateBody) },
  responses: {
    200: json(authenticateAnswer, "A token, or the flow that leads to one."),
    401: json(failureAnswer, "None of the credentials is valid."),
    422: json(validationAnswer, "The request does not validate."),
  },
});

/** The authentication endpoint. */
export function authenticationRoutes(
  api: OpenAPIHono<PlaneEnvironment>,
  { authentication }: PlaneParts,
): void {
  api.openapi(authenticate, (c) =>
    c.json(authentication.authenticate(c.get("organization").name, c.req.valid("json")), 200),
  );
}

/** The page behind the `url` of a pending authentication: opening it plays the user who consents. */
export function completionPage(api: Hono<PlaneEnvironment>, { authentication }: PlaneParts): void {
  api.get(`${completionPath}/:id`, (c) => {
    authentication.complete(c.req.param("id"));
    return c.html(
      "<!doctype html><title>Authenticated</title><p>Authenticated. You may close this page.</p>",
    );
  });
}
