import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Serves the files of a folder below a path, in the same way as a static site host. */
export async function serveFolder(
  folder: string,
  base: string,
): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const server = createServer(({ url = "" }, response) => {
    const path = decodeURI(url.split(/[?#]/)[0]!);
    const file = join(folder, path.slice(base.length), path.endsWith("/") ? "index.html" : "");
    try {
      const content = path.startsWith(base) ? readFileSync(file) : undefined;
      response.writeHead(content ? 200 : 404, { "content-type": types[extname(file)] ?? "text/plain" });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
