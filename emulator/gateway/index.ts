import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type Context, Hono } from "hono";
import { requestHeaders, responseHeaders } from "./headers";
import { agentsPath, type GatewayLookup, type GatewayRoute } from "./route";
import { strategyIn, threadOfRunCreation, verdictOn } from "./run-conflict";
import { askAgent, readText } from "./upstream";

/** Paths that answer without an API key, so that anything can watch whether an agent is up. */
const openPaths = ["/ok", "/info"];

/** Seconds after which a caller may try again while no agent answers. */
const retryAfter = "2";

/**
 * Routes that lead `/agents/<deployment_id>/<path>` to `<path>` of the agent server behind the deployment. Mount
 * them at the root or below a prefix: `app.route("/", gatewayRoutes(lookup))`.
 */
export function gatewayRoutes(lookup: GatewayLookup): Hono {
  const app = new Hono();
  const handle = async (c: Context) => {
    const deploymentId = c.req.param("deploymentId") ?? "";
    const { base, path } = split(c.req.raw.url);
    const route = lookup(deploymentId, c.req.header("x-api-key"), openPaths.includes(path));
    return route.kind === "serving" ? forward(c, route.origin, base, path) : refuse(c, route);
  };
  app.all(`${agentsPath}/:deploymentId`, handle);
  app.all(`${agentsPath}/:deploymentId/*`, handle);
  return app;
}

/** Takes the path of a request apart as it was sent, so that the agent gets it undecoded. */
function split(url: string): { base: string; path: string } {
  const [, base = "", path = "/"] = deploymentUrl.exec(new URL(url).pathname) ?? [];
  return { base, path };
}

const deploymentUrl = new RegExp(`^(.*?${agentsPath}/[^/]+)(/.*)?$`);

function refuse(c: Context, route: Exclude<GatewayRoute, { kind: "serving" }>): Response {
  if (route.kind === "forbidden") return c.json({ detail: route.detail }, route.status);
  if (route.kind === "unknown") return c.json({ detail: route.detail }, 404);
  return c.json({ detail: route.detail }, 503, { "Retry-After": retryAfter });
}

async function forward(c: Context, origin: string, base: string, path: string): Promise<Response> {
  const { raw } = c.req;
  const headers = requestHeaders(raw.headers);
  const threadId = threadOfRunCreation(raw.method, path);
  // The creation of a run is a small document, whose strategy decides what a refusal means.
  const body =
    threadId === undefined ? (raw.body as ReadableStream | null) : new Uint8Array(await raw.arrayBuffer());
  const url = origin + path + new URL(raw.url).search;
  const { signal } = raw;
  try {
    const answer = await askAgent({ method: raw.method, url, headers, body, signal });
    if (answer.statusCode !== 422 || threadId === undefined) return pass(answer, raw.method, origin, base);
    const refusal = await readText(answer);
    const creation = { threadId, strategy: strategyIn(body as Uint8Array) };
    const verdict = await verdictOn(refusal, creation, origin, headers, signal);
    if (verdict) return c.json({ detail: verdict.detail }, verdict.status);
    return new Response(refusal, { status: 422, headers: responseHeaders(answer.rawHeaders, origin, base) });
  } catch (error) {
    return unreachable(c, error as NodeJS.ErrnoException);
  }
}

function pass(answer: IncomingMessage, method: string, origin: string, base: string): Response {
  const status = answer.statusCode ?? 502;
  const empty = method === "HEAD" || [204, 205, 304].includes(status);
  if (empty) answer.resume();
  return new Response(
    empty ? null : (Readable.toWeb(answer) as unknown as ConstructorParameters<typeof Response>[0]),
    { status, headers: responseHeaders(answer.rawHeaders, origin, base) },
  );
}

function unreachable(c: Context, error: NodeJS.ErrnoException): Response {
  if (error.code === "ECONNREFUSED") {
    const detail = "The agent server does not accept connections now; it may be starting again.";
    return c.json({ detail }, 503, { "Retry-After": retryAfter });
  }
  return c.json(
    { detail: `The agent server ended the connection without an answer (${error.code ?? error.name}).` },
    502,
  );
}
