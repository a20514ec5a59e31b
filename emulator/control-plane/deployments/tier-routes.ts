import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { deploymentTiers, resourceTiersBody } from "../../../wire";
import type { TierChange } from "./traits";
import type { Dialect } from "../dialects";
import { schemasOf } from "../dialects/schemas";
import type { PlaneDeps } from "../deps";
import { accessFailures, json, jsonBody, keyAndTenant, notFound, unaccepted } from "../routes/answers";
import { recorder } from "./routes";
import type { PlaneEnvironment } from "../routes/environment";
import { deploymentPath } from "../routes/schemas";

const common = { tags: ["Deployments (v2)"], security: keyAndTenant };
const tier = z.enum(deploymentTiers).openapi("DeploymentTier");
const onePath = "/v2/deployments/{deployment_id}";

/** Deployment types that are free. */
const freeTypes = ["dev_free", "dev_free_zero"];

const freeCount = createRoute({
  ...common,
  method: "get",
  path: "/v2/deployments/free-count",
  summary: "Get Free Deployment Count",
  responses: {
    200: json(
      z.object({ count: z.number().int() }).openapi("FreeDeploymentCountResponse"),
      "Free deployments of the organization.",
    ),
    ...accessFailures,
  },
});

function resizing(dialect: Dialect) {
  const resized = {
    200: json(schemasOf(dialect).deployment, "The deployment, with a new revision."),
    ...unaccepted,
    ...notFound,
    ...accessFailures,
  };
  const all = z.object({ deployment_tier: tier }).openapi("DeploymentTierUpdateRequest");
  const each = resourceTiersBody
    .extend({ compute_tier: tier.nullish(), database_tier: tier.nullish() })
    .openapi("DeploymentResourceTiersUpdateRequest");
  return {
    whole: createRoute({
      ...common,
      method: "patch",
      path: `${onePath}/deployment-tier`,
      summary: "Patch Deployment Tier",
      request: { params: deploymentPath, body: jsonBody(all) },
      responses: resized,
    }),
    parts: createRoute({
      ...common,
      method: "patch",
      path: `${onePath}/resource-tiers`,
      summary: "Patch Deployment Resource Tiers",
      request: { params: deploymentPath, body: jsonBody(each) },
      responses: resized,
    }),
  };
}

/** Adds the routes for the tiers of deployments. */
export function tierRoutes(api: OpenAPIHono<PlaneEnvironment>, plane: PlaneDeps): void {
  const { deploymentService, store } = plane;
  const { whole, parts } = resizing(plane.dialect);
  const record = recorder(plane);

  api.openapi(freeCount, (c) => {
    const { tenants } = c.get("organization");
    const free = store.deployments
      .all()
      .filter(
        ({ tenantId, goneAt, sourceConfig }) =>
          tenants.includes(tenantId) &&
          goneAt === null &&
          freeTypes.includes(sourceConfig.deployment_type ?? ""),
      );
    return c.json({ count: free.length }, 200);
  });

  for (const resizing of [whole, parts])
    api.openapi(resizing, (c) => {
      const { deployment_id } = c.req.valid("param");
      const change: TierChange = c.req.valid("json");
      return c.json(record(deploymentService.resize(c.get("tenantId"), deployment_id, change)), 200);
    });
}
