import { setTimeout as sleep } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { bearerIn } from "../bearer";
import { type Clock, systemClock } from "../clock";
import { agentServerApi } from "./api";
import { TimerRegistry } from "./timers/timer-registry";
import { InternalApi } from "./request/internal-api";
import { retryAfter, AgentClient } from "./request/agent-client";
import { requestHeaders } from "./request/headers";
import { normalizedRequest, withPath } from "./request/normalized";
import { isOpen } from "./open-paths";
import { inertHeaders, notice } from "../notice";
import { internalApiHeaders } from "../rollout/internal-api-headers";
import { agentsPath, type GatewayLookup, type GatewayRoute, type OwnOrigin } from "./route";
import { Metrics } from "./system/metrics";

/** Maximum time that a request waits for an agent that is about to serve requests, and the polling interval. */
const maxWait = { forMs: 15_000, everyMs: 25 };

/**
 * Header that allows a project with custom authentication to recognize requests from the platform, such as requests for
 * the runs of crons.
 */
const ownHeaders = { "x-auth-scheme": "langsmith" };

interface GatewayDeps {
  lookup: GatewayLookup;
  /** Returns the data folder of a deployment, where the gateway stores crons and similar data. */
  dataFolder: (deploymentId: string) => string;
  /**
   * Clock of the gateway.
   * @default the system clock
   */
  clock?: Clock;
  /**
   * Origins of public pages that may send requests to the agents on this machine.
   * @default none
   */
  allowedOrigins?: readonly string[];
  /**
   * Called with internal errors of the gateway and its background tasks.
   * @default errors are ignored
   */
  reportError?: (error: unknown) => void;
}

/** Environment of a request to the gateway. */
interface GatewayEnvironment {
  Bindings: { ownOrigin?: OwnOrigin };
}

/** Gateway that forwards requests to the agent servers of all deployments. */
export interface Gateway {
  /**
   * Routes that forward `/agents/<deployment_id>/<path>` to the agent server of the deployment, either at the root or
   * under a prefix.
   */
  routes: Hono<GatewayEnvironment>;
  /** Resumes the pending work of these deployments, such as crons. */
  resume(deploymentIds: string[]): void;
  /** Releases the resources of a deployment that is being deleted. */
  forget(deploymentId: string): void;
  close(): void;
}

/** Creates the gateway, which makes the runtime of each deployment behave like the documented agent server. */
export function createGateway(deps: GatewayDeps): Gateway {
  const {
    lookup,
    dataFolder,
    clock = systemClock,
    reportError = () => undefined,
    allowedOrigins = [],
  } = deps;
  const never = new AbortController().signal;
  const agent = (deploymentId: string) => {
    const route = lookup(deploymentId, undefined, true);
    if (route.kind !== "serving") return undefined;
    return {
      client: new AgentClient(
        route.origin,
        { ...ownHeaders, ...internalApiHeaders(route.internalApi) },
        never,
      ),
      internalApi: new InternalApi(route.internalApi, never),
    };
  };
  const timerRegistry = new TimerRegistry({ clock, reportError, dataFolder, agent });
  const metrics = new Map<string, Metrics>();
  const metricsOf = (deploymentId: string) => {
    const found = metrics.get(deploymentId) ?? new Metrics();
    metrics.set(deploymentId, found);
    return found;
  };
  const api = agentServerApi((url) => split(url).path, reportError);

  const handle = async (c: Context<GatewayEnvironment>) => {
    const given = normalizedRequest(c.req.raw);
    const deploymentId = c.req.param("deploymentId") ?? "";
    // `c.env` is undefined if the routes are called without an environment.
    const ownOrigin = (c.env as GatewayEnvironment["Bindings"] | undefined)?.ownOrigin;
    // A service worker from an agent would see all requests to the origin, including keys and sessions.
    if (given.headers.get("service-worker") === "script")
      return c.json({ detail: "Service workers cannot be registered below the URL of a deployment." }, 403);
    const open =
      isOpen(given.method, split(given.url).path) || isPreflight(given) || ownOrigin?.signedIn === true;
    const route = await settled(() => lookup(deploymentId, shownIn(given.headers), open), given.signal);
    if (route.kind !== "serving") return readableFromPages(given, refuse(c, route), allowedOrigins);
    const raw = route.internalApi?.documented ? withDecodedSlashes(given) : given;
    const { base, path } = split(raw.url);
    const headers = { ...requestHeaders(raw.headers, ownOrigin), ...internalApiHeaders(route.internalApi) };
    const context = {
      deploymentId,
      base: ownOrigin ? "" : base,
      path,
      client: new AgentClient(route.origin, headers, raw.signal),
      internalApi: new InternalApi(route.internalApi, raw.signal),
      clock,
      metrics: metricsOf(deploymentId),
      timers: () => timerRegistry.of(deploymentId),
    };
    return readableFromPages(raw, await api.fetch(raw, { context }), allowedOrigins);
  };
  const routes = new Hono<GatewayEnvironment>();
  routes.all(`${agentsPath}/:deploymentId`, handle);
  routes.all(`${agentsPath}/:deploymentId/*`, handle);
  return {
    routes,
    resume: (deploymentIds) => timerRegistry.resume(deploymentIds),
    forget(deploymentId) {
      timerRegistry.forget(deploymentId);
      metrics.delete(deploymentId);
    },
    close: () => timerRegistry.close(),
  };
}

/** Returns the API key of the caller or, if there is none, the caller's access token. */
function shownIn(headers: Headers): string | undefined {
  return headers.get("x-api-key") ?? bearerIn(headers.get("authorization"));
}

/** Splits the raw path of a request, so that the agent receives it without decoding. */
function split(url: string): { base: string; path: string } {
  const [, base = "", path = "/"] = deploymentUrl.exec(new URL(url).pathname) ?? [];
  return { base, path };
}

/**
 * Returns the request with the path that the Python runtime would use for routing. That runtime decodes paths before it
 * routes requests.
 */
function withDecodedSlashes(request: Request): Request {
  const { base, path } = split(request.url);
  if (!path.includes("%2F")) return request;
  // The path is resolved without the base, so that dot segments cannot leave the base.
  return withPath(request, base + new URL(`http://agent${path.replaceAll("%2F", "/")}`).pathname);
}

const deploymentUrl = new RegExp(`^(.*?${agentsPath}/[^/]+)(/.*)?$`);

/** Waits while one revision replaces another, so that requests are not rejected during that time. */
async function settled(look: () => GatewayRoute, signal: AbortSignal): Promise<GatewayRoute> {
  const until = performance.now() + maxWait.forMs;
  for (;;) {
    const route = look();
    const waits = route.kind === "unavailable" && route.soon && performance.now() < until && !signal.aborted;
    if (!waits) return route;
    await sleep(maxWait.everyMs);
  }
}

const signInFirst =
  "This address needs an API key. To open the agent in a browser, select the deployment in the control plane's web console and " +
  "follow the link to its documentation, which signs the browser in at the agent's own address.";

function refuse(c: Context<GatewayEnvironment>, route: Exclude<GatewayRoute, { kind: "serving" }>): Response {
  if (route.kind === "forbidden") {
    if (c.req.header("sec-fetch-mode") !== "navigate") return c.json({ detail: route.detail }, route.status);
    return c.html(notice("Sign in", signInFirst), route.status, inertHeaders);
  }
  if (route.kind === "unknown") return c.json({ detail: route.detail }, 404);
  return c.json({ detail: route.detail }, 503, { "Retry-After": retryAfter });
}

const exposed = "Content-Location, Location, X-Pagination-Total, X-Pagination-Next";

/** True if the request is a CORS preflight request, which does not contain a key. */
function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

/**
 * Allows pages from any origin to read a response, unless the agent has specified which origins may read it. Browsers
 * ask for permission before a public page can access this machine. Permission is granted only to pages from
 * `allowedOrigins`.
 */
function readableFromPages(request: Request, answer: Response, allowedOrigins: readonly string[]): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return answer;
  if (
    isPreflight(request) &&
    request.headers.get("access-control-request-private-network") === "true" &&
    allowedOrigins.includes(origin)
  )
    answer.headers.set("access-control-allow-private-network", "true");
  if (answer.headers.has("access-control-allow-origin")) {
    // The gateway itself sets this header to the path where clients resume after a broken connection.
    if (answer.headers.has("location")) answer.headers.append("access-control-expose-headers", "Location");
    return answer;
  }
  answer.headers.set("access-control-allow-origin", "*");
  answer.headers.set("access-control-expose-headers", exposed);
  return answer;
}
