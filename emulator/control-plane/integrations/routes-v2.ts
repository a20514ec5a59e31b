import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { forgeIntegrationRecordOf, integrationRecordOf } from "./record";
import type { PlaneDeps } from "../deps";
import { accessFailures, json, keyAndTenant } from "../routes/answers";
import type { PlaneEnvironment } from "../routes/environment";
import {
  forgeInstallationsAnswer,
  forgeInstallLinkAnswer,
  installationsAnswer,
  installLinkAnswer,
  installLinkBody,
  integrationPath,
  repositoriesAnswer,
} from "./schemas";
import { failureAnswer } from "../routes/schemas";
import { Refusal } from "../refusal";

/** Query of lists that use a cursor for pagination. */
const cursorQuery = z.strictObject({
  page_size: z.coerce.number().int().min(1).max(100).default(20),
  /** Cursor of the page, from the `next_cursor` of the previous page. */
  cursor: z.string().optional(),
});

const common = { tags: ["Integrations (v2)"], security: keyAndTenant };
const path = "/v2/integrations/github";
const forgePath = "/v2/integrations/forge-github";

const list = createRoute({
  ...common,
  method: "get",
  path: `${path}/installations`,
  summary: "List Github Installations",
  request: { query: cursorQuery },
  responses: { 200: json(installationsAnswer, "One page, oldest first."), ...accessFailures },
});

const listForge = createRoute({
  ...common,
  method: "get",
  path: `${forgePath}/installations`,
  summary: "List Forge Github Installations",
  request: { query: cursorQuery },
  responses: { 200: json(forgeInstallationsAnswer, "One page, oldest first."), ...accessFailures },
});

const repositories = {
  ...common,
  method: "get",
  summary: "List Github Installation Repositories",
  request: { params: integrationPath, query: cursorQuery },
  responses: {
    200: json(repositoriesAnswer, "One page."),
    404: json(failureAnswer, "The integration does not exist."),
    ...accessFailures,
  },
} as const;

const link = createRoute({
  ...common,
  method: "post",
  path: `${path}/installation-link`,
  summary: "Get Github Install Link Endpoint",
  responses: { 200: json(installLinkAnswer, "URL at which a user can install the app."), ...accessFailures },
});

const linkForge = createRoute({
  ...common,
  method: "post",
  path: `${forgePath}/installation-link`,
  summary: "Get Forge Github Install Link Endpoint",
  request: { body: { content: { "application/json": { schema: installLinkBody.nullable() } } } },
  responses: {
    200: json(forgeInstallLinkAnswer, "URL at which a user can install the app."),
    ...accessFailures,
  },
});

/** Adds version 2 of the integration routes: paginated lists, and links that create integrations. */
export function integrationRoutesV2(api: OpenAPIHono<PlaneEnvironment>, { integrations }: PlaneDeps): void {
  api.openapi(list, (c) => {
    const all = integrations.list(c.get("tenantId"), "github").map(integrationRecordOf);
    return c.json(pageBehind(all, c.req.valid("query")), 200);
  });

  api.openapi(listForge, (c) => {
    const all = integrations.list(c.get("tenantId"), "forge-github").map(forgeIntegrationRecordOf);
    return c.json(pageBehind(all, c.req.valid("query")), 200);
  });

  // The documents disagree about this path. The OpenAPI document includes only one of the two variants.
  const published = `${path}/installations/{integration_id}/repositories`;
  for (const one of [published, `${path}/{integration_id}/repositories`])
    api.openapi(createRoute({ ...repositories, path: one, hide: one !== published }), (c) => {
      const { integration_id } = c.req.valid("param");
      const integration = integrations.integration(c.get("tenantId"), "github", integration_id);
      return c.json(pageBehind(integrations.repositories(integration), c.req.valid("query")), 200);
    });

  api.openapi(link, (c) => {
    const install_url = integrations.installationLink(c.get("tenantId"), "github", null);
    return c.json({ install_url, oauth_reuse_url: null }, 200);
  });

  api.openapi(linkForge, (c) => {
    const returnTo = c.req.valid("json")?.return_to ?? null;
    return c.json(
      { install_url: integrations.installationLink(c.get("tenantId"), "forge-github", returnTo) },
      200,
    );
  });
}

/** Returns one page of `all`, and the cursor of the next page if there is one. */
function pageBehind<Item>(
  all: readonly Item[],
  { page_size, cursor }: z.infer<typeof cursorQuery>,
): { items: Item[]; next_cursor: string | null } {
  const start = cursor ? placeOf(cursor) : 0;
  const end = start + page_size;
  return { items: all.slice(start, end), next_cursor: end < all.length ? cursorAt(end) : null };
}

function cursorAt(place: number): string {
  return Buffer.from(`from ${place}`).toString("base64url");
}

function placeOf(cursor: string): number {
  const place = /^from (\d+)$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (place === undefined)
    throw new Refusal(422, [{ loc: ["query", "cursor"], msg: "Invalid cursor", type: "value_error" }]);
  return Number(place);
}
