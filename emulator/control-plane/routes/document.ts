import { isDeepStrictEqual } from "node:util";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { DialectTable } from "../../../wire";
import { selfHostedPrefix } from "../prefix";
import { keyAndTenant } from "./answers";
import { type ApiDocument, referenceHeaders, referencePage } from "./reference-page";
import type { PlaneEnvironment } from "./environment";

/** Fields that are accepted but are not part of the published document. */
const hidden = [{ schema: "AuthAuthenticateRequest", field: "use_agent_builder_public_oauth" }];

/** OpenAPI documents by dialect. Creating one takes a third of a second, so all control planes share them. */
const made = new Map<string, ApiDocument>();

/** Serves the OpenAPI document, which is created from the validation schemas, and a page that displays it. */
export function documentRoutes(api: OpenAPIHono<PlaneEnvironment>, dialect: DialectTable): void {
  api.openAPIRegistry.registerComponent("securitySchemes", "API Key", {
    type: "apiKey",
    in: "header",
    name: "X-Api-Key",
  });
  api.openAPIRegistry.registerComponent("securitySchemes", "Tenant ID", {
    type: "apiKey",
    in: "header",
    name: "X-Tenant-Id",
    description:
      "The workspace. A workspace key may be sent without it to operations that accept an API key alone.",
  });
  api.openAPIRegistry.registerComponent("securitySchemes", "Bearer Auth", { type: "http", scheme: "bearer" });

  const describe = (path: string): ApiDocument => {
    let document = made.get(dialect.name);
    if (!document) made.set(dialect.name, (document = describeApi(api, dialect)));
    return { ...document, servers: [{ url: serverOf(path) }] };
  };
  api.get("/openapi.json", (c) => c.json(describe(c.req.path)));
  api.get("/docs", (c) => c.html(referencePage(describe(c.req.path)), 200, referenceHeaders));
}

function describeApi(api: OpenAPIHono<PlaneEnvironment>, dialect: DialectTable): ApiDocument {
  const document = api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Deployment control plane", version: "0.1.0" },
  });
  for (const { schema, field } of hidden) {
    const found = document.components?.schemas?.[schema];
    if (found && "properties" in found) delete found.properties?.[field];
  }
  if (dialect.tenantHeader === "organization keys")
    for (const path of Object.values(document.paths ?? {}))
      for (const operation of Object.values(path as Record<string, { security?: unknown[] }>))
        if (isDeepStrictEqual(operation.security, keyAndTenant))
          operation.security = [{ "API Key": [] }, ...keyAndTenant];
  return document;
}

function serverOf(path: string): string {
  return path.startsWith(`${selfHostedPrefix}/`) ? selfHostedPrefix : "/";
}
