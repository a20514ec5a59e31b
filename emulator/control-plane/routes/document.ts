import type { OpenAPIHono } from "@hono/zod-openapi";
import { selfHostedPrefix } from "../prefix";
import { type ApiDocument, referencePage } from "./reference-page";
import type { PlaneEnvironment } from "./environment";

/** Accepted, but not part of the published description. */
const hidden = [{ schema: "AuthAuthenticateRequest", field: "use_agent_builder_public_oauth" }];

/** Serves the description of the API, made from the schemas that validate, and a page to read it. */
export function documentRoutes(api: OpenAPIHono<PlaneEnvironment>): void {
  api.openAPIRegistry.registerComponent("securitySchemes", "API Key", {
    type: "apiKey",
    in: "header",
    name: "X-Api-Key",
  });
  api.openAPIRegistry.registerComponent("securitySchemes", "Tenant ID", {
    type: "apiKey",
    in: "header",
    name: "X-Tenant-Id",
  });
  api.openAPIRegistry.registerComponent("securitySchemes", "Bearer Auth", { type: "http", scheme: "bearer" });

  api.get("/openapi.json", (c) => c.json(describe(api, serverOf(c.req.path))));
  api.get("/docs", (c) => c.html(referencePage(describe(api, serverOf(c.req.path)))));
}

function describe(api: OpenAPIHono<PlaneEnvironment>, server: string): ApiDocument {
  const document = api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Deployment control plane", version: "0.1.0" },
    servers: [{ url: server }],
  });
  for (const { schema, field } of hidden) {
    const found = document.components?.schemas?.[schema];
    if (found && "properties" in found) delete found.properties?.[field];
  }
  return document;
}

function serverOf(path: string): string {
  return path.startsWith(`${selfHostedPrefix}/`) ? selfHostedPrefix : "/";
}
