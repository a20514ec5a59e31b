import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { discoverProvider } from "./mcp-discovery";
import { providerRecordOf } from "./providers";
import type { PlaneDeps } from "../deps";
import { anyScheme, anySecretScheme, json, jsonBody, schemeFailures } from "../routes/answers";
import {
  mcpProviderBody,
  messageAnswer,
  providerAnswer,
  providerBody,
  providerPatchBody,
  providerPath,
} from "./schemas";
import type { PlaneEnvironment } from "../routes/environment";
import { failureAnswer, wholeList } from "../routes/schemas";

const common = { tags: ["Auth Service (v2)"], security: anyScheme };
const path = "/v2/auth/providers";
const onePath = `${path}/{provider_id}`;
const one = json(providerAnswer, "The provider, without its client secret.");
const noSuch = { 404: json(failureAnswer, "The provider does not exist.") };
const taken = { 409: json(failureAnswer, "A provider with this ID already exists.") };

const list = createRoute({
  ...common,
  method: "get",
  path,
  summary: "List Oauth Providers",
  request: { query: wholeList },
  responses: { 200: json(z.array(providerAnswer), "All providers of the organization."), ...schemeFailures },
});

const create = createRoute({
  ...common,
  security: anySecretScheme,
  method: "post",
  path,
  summary: "Create Oauth Provider",
  request: { body: jsonBody(providerBody) },
  responses: { 200: one, ...taken, ...schemeFailures },
});

const discover = createRoute({
  ...common,
  security: anySecretScheme,
  method: "post",
  path: `${path}/mcp-discover`,
  summary: "Create Mcp Oauth Provider",
  request: { body: jsonBody(mcpProviderBody) },
  responses: {
    200: one,
    400: json(failureAnswer, "No OAuth provider could be discovered."),
    ...taken,
    ...schemeFailures,
  },
});

const get = createRoute({
  ...common,
  method: "get",
  path: onePath,
  summary: "Get Oauth Provider",
  request: { params: providerPath },
  responses: { 200: one, ...noSuch, ...schemeFailures },
});

const patch = createRoute({
  ...common,
  security: anySecretScheme,
  method: "patch",
  path: onePath,
  summary: "Update Oauth Provider",
  request: { params: providerPath, body: jsonBody(providerPatchBody) },
  responses: { 200: one, ...noSuch, ...schemeFailures },
});

const remove = createRoute({
  ...common,
  security: anySecretScheme,
  method: "delete",
  path: onePath,
  summary: "Delete Oauth Provider",
  request: { params: providerPath },
  responses: { 200: json(messageAnswer, "The provider was deleted."), ...noSuch, ...schemeFailures },
});

/** Adds the routes that create, read, update, and delete OAuth providers. */
export function providerRoutes(api: OpenAPIHono<PlaneEnvironment>, { providers, baseUrl }: PlaneDeps): void {
  api.openapi(list, (c) => {
    const all = providers.list(c.get("organization").name);
    return c.json(all.map(providerRecordOf), 200);
  });

  api.openapi(create, (c) =>
    c.json(providerRecordOf(providers.create(c.get("organization").name, c.req.valid("json"))), 200),
  );

  api.openapi(discover, async (c) => {
    const organization = c.get("organization").name;
    const body = c.req.valid("json");
    providers.requireFree(organization, body.provider_id);
    const redirectUri = `${baseUrl()}/v2/auth/callback/${encodeURIComponent(body.provider_id)}`;
    const client = await discoverProvider(body, redirectUri);
    return c.json(providerRecordOf(providers.adopt(organization, body, client)), 200);
  });

  api.openapi(get, (c) => {
    const { provider_id } = c.req.valid("param");
    return c.json(providerRecordOf(providers.provider(c.get("organization").name, provider_id)), 200);
  });

  api.openapi(patch, (c) => {
    const { provider_id } = c.req.valid("param");
    const changed = providers.update(c.get("organization").name, provider_id, c.req.valid("json"));
    return c.json(providerRecordOf(changed), 200);
  });

  api.openapi(remove, (c) => {
    const { provider_id } = c.req.valid("param");
    providers.remove(c.get("organization").name, provider_id);
    return c.json({ message: `Provider '${provider_id}' deleted.` }, 200);
  });
}
