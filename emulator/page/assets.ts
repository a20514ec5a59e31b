import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { Hono } from "hono";
import type { PlaneEnvironment } from "../control-plane/routes/environment";
import { packageFolder } from "../process/package-folder";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Content security policy. Names and log lines are not trusted, so even a bug in the page must not allow them to run or
 * send anything.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const headers = {
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-cache",
};

/** Serves the page at `/` and its files under `/page`, unchanged from the package. */
export function assetRoutes(): Hono<PlaneEnvironment> {
  const app = new Hono<PlaneEnvironment>();
  const folder = join(packageFolder(), "page", "assets");
  let names: Set<string> | undefined;

  const serve = (name: string): Response | undefined => {
    // Only files in this folder are listed, so a request cannot access anything outside it.
    names ??= new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }).map(slashed));
    const type = types[extname(name)];
    if (!type || !names.has(name)) return undefined;
    return new Response(readFileSync(join(folder, name)), { headers: { ...headers, "Content-Type": type } });
  };

  app.get("/", (c) => serve("index.html") ?? c.notFound());
  app.get("/page/*", (c) => serve(c.req.path.slice("/page/".length)) ?? c.notFound());
  return app;
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}
