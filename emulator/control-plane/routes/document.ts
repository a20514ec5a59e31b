import type { OpenAPIHono } from "@hono/zod-openapi";
import type { DialectName } from "../../../wire";
import { selfHostedPrefix } from "../prefix";
import { type ApiDocument, referencePage } from "./reference-page";
import type { PlaneEnvironment } from "./environment";

/** Accepted, but not part of the published description. */
const hidden = [{ schema: "AuthAuthenticateRequest", field: "use_agent_builder_public_oauth" }];

/** The descriptions made so far, by dialect: one takes a third of a second, and is the same for every control plane. */
const made = new Map<DialectName, ApiDocument>();

/** Serves the description of the API, made from the schemas that validate, and a page to read it. */
export function documentRoutes(api: OpenAPIHono<PlaneEnvironment>, dialect: DialectName): void {
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

  const describe = (path: string): ApiDocument => {
    let document = made.get(dialect);
    if (!document) made.set(dialect, (document = describeApi(api)));
    return { ...document, servers: [{ url: serverOf(path) }] };
  };
  api.get("/openapi.json", (c) => c.json(describe(c.req.path)));
  api.get("/docs", (c) => c.html(referencePage(describe(c.req.path))));
}

function describeApi(api: OpenAPIHono<PlaneEnvironment>): ApiDocument {
  const document = api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Deployment control plane", version: "0.1.0" },
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
