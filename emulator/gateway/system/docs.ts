import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { html } from "hono/html";
import { pageText } from "../../page-text";
import { type Api, operation } from "../request/operation";
import { packageFolder } from "../../process/package-folder";
import { requireMeta } from "./routes";

/**
 * Files of the page with the API reference. They are served from an installed package, so that nothing is loaded from
 * other servers.
 */
const assets: Record<string, string> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

/**
 * Script that starts the page. It is a separate file, so that the content security policy does not require an exception
 * for inline scripts.
 */
const start = `SwaggerUIBundle({ url: "openapi.json", dom_id: "#reference", deepLinking: true });\n`;

/** Headers that allow only the page's own scripts and requests, because the page is opened with a key or a session. */
const pageHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
};

/** Serves the OpenAPI document of the available operations, and a page for reading it and trying out the operations. */
export function documentRoutes(api: Api): void {
  const group = "System";
  let made: ApiDocument | undefined;
  const describe = (base: string) => ({ ...(made ??= describeApi(api)), servers: [{ url: base || "/" }] });
  operation(
    api,
    { method: "get", path: "/openapi.json", group, summary: "The description of this API" },
    async ({ c, context }) => {
      await requireMeta(context);
      return c.json(describe(context.base), 200, pageHeaders);
    },
  );
  operation(
    api,
    { method: "get", path: "/docs", group, summary: "Interactive reference", type: "text/html" },
    async ({ c, context }) => {
      await requireMeta(context);
      return c.html(page(context.base), 200, pageHeaders);
    },
  );
  api.get("/docs/start.js", (c) => c.body(start, 200, { "content-type": "text/javascript; charset=utf-8" }));
  api.get("/docs/:file", async (c) => {
    const type = assets[c.req.param("file")];
    if (!type) return c.json({ detail: "Not Found" }, 404);
    return c.body(await readFile(join(assetFolder(), c.req.param("file"))), 200, { "content-type": type });
  });
}

type ApiDocument = ReturnType<Api["getOpenAPI31Document"]>;

function describeApi(api: Api): ApiDocument {
  api.openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "header",
    name: "X-Api-Key",
  });
  return api.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Agent server", version: "0.1.0" },
    security: [{ apiKey: [] }],
  });
}

/**
 * Returns the folder that contains the files of the page. The published package contains copies of the files, because
 * the original package is many times larger.
 */
function assetFolder(): string {
  const copied = join(packageFolder(), "dist", "reference");
  if (existsSync(copied)) return copied;
  return dirname(createRequire(__filename).resolve("swagger-ui-dist/package.json"));
}

function page(base: string): string {
  return pageText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>Agent server</title>
          <link rel="icon" href="${base}/docs/favicon-32x32.png" />
          <link rel="stylesheet" href="${base}/docs/swagger-ui.css" />
        </head>
        <body>
          <div id="reference"></div>
          <script src="${base}/docs/swagger-ui-bundle.js"></script>
          <script src="${base}/docs/start.js"></script>
        </body>
      </html>`,
  );
}
