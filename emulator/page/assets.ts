import { existsSync, readdirSync, readFileSync } from "node:fs";
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
 * Content security policy. Names and log lines are not trusted, so even a bug in the web console must not allow them to
 * run or send anything.
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

/** Serves the web console at `/` and its files and bundled scripts under `/page`, unchanged from the package. */
export function assetRoutes(): Hono<PlaneEnvironment> {
  const app = new Hono<PlaneEnvironment>();
  const folders = ["assets", "dist"].map((name) => join(packageFolder(), "page", name));
  let paths: Map<string, string> | undefined;

  const serve = (name: string): Response | undefined => {
    // Only files in these folders are listed, so a request cannot access anything outside them.
    paths ??= new Map(folders.flatMap(filesIn));
    const [type, path] = [types[extname(name)], paths.get(name)];
    if (!type || !path) return undefined;
    return new Response(readFileSync(path), { headers: { ...headers, "Content-Type": type } });
  };

  app.get("/", (c) => serve("index.html") ?? c.notFound());
  app.get("/page/*", (c) => serve(c.req.path.slice("/page/".length)) ?? c.notFound());
  return app;
}

/** Returns the files in a folder, as pairs of their path in the URL and their path on disk. */
function filesIn(folder: string): [string, string][] {
  // The scripts do not exist if the code runs from sources that were not built.
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.map((name) => [name.split(sep).join("/"), join(folder, name)]);
}
