import type { Hono } from "hono";
import { installationPath } from "./service";
import type { PlaneDeps } from "../deps";
import type { PlaneEnvironment } from "../routes/environment";
import { notice } from "../../notice";
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { integrationRecordOf } from "./record";
import type { IntegrationKind } from "../store/integrations";
import { accessFailures, json, keyAndTenant } from "../routes/answers";
import { integrationAnswer, integrationPath, repositoryAnswer } from "./schemas";
import { failureAnswer, wholeList } from "../routes/schemas";

export { integrationRoutesV2 } from "./routes-v2";

/** Paths that require a key and a workspace. */
export const integrationPaths = ["/v1/integrations/*", "/v2/integrations/*"];

/** Serves the page of an installation link. Opening the page simulates a user who installs the app. */
export function installationPage(api: Hono<PlaneEnvironment>, { integrations }: PlaneDeps): void {
  api.get(`${installationPath}/:link`, (c) => {
    const { integration, returnTo } = integrations.install(c.req.param("link"));
    if (returnTo && /^https?:\/\//.test(returnTo)) return c.redirect(returnTo, 303);
    return c.html(
      notice("Installed", `The integration '${integration.name}' is installed. Its ID is ${integration.id}.`),
    );
  });
}

/** Adds version 1 of the integration routes: complete lists, for each kind of app. */
export function integrationRoutesV1(api: OpenAPIHono<PlaneEnvironment>, { integrations }: PlaneDeps): void {
  const kinds: [IntegrationKind, string, string][] = [
    ["github", "/v1/integrations/github", "GitHub"],
    ["forge-github", "/v1/integrations/forge/github", "Forge GitHub"],
  ];
  for (const [kind, path, title] of kinds) {
    api.openapi(listRoute(path, title), (c) =>
      c.json(integrations.list(c.get("tenantId"), kind).map(integrationRecordOf), 200),
    );
    api.openapi(repositoriesRoute(path, title), (c) => {
      const { integration_id } = c.req.valid("param");
      const integration = integrations.integration(c.get("tenantId"), kind, integration_id);
      return c.json(integrations.repositories(integration), 200);
    });
  }
}

const common = { tags: ["Integrations (v1)"], security: keyAndTenant };

function listRoute(path: string, title: string) {
  return createRoute({
    ...common,
    method: "get",
    path: `${path}/install`,
    summary: `List ${title} Integrations`,
    request: { query: wholeList },
    responses: {
      200: json(z.array(integrationAnswer), "All integrations of the workspace."),
      ...accessFailures,
    },
  });
}

function repositoriesRoute(path: string, title: string) {
  return createRoute({
    ...common,
    method: "get",
    path: `${path}/{integration_id}/repos`,
    summary: `List ${title} Repositories`,
    request: { params: integrationPath, query: wholeList },
    responses: {
      200: json(z.array(repositoryAnswer), "All repositories that the integration can access."),
      404: json(failureAnswer, "The integration does not exist."),
      ...accessFailures,
    },
  });
}
