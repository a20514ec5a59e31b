import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, MiddlewareHandler } from "hono";
import { boundedBytes, mostHeldBytes } from "../../bounded-bytes";
import type { Clock } from "../../clock";
import type { PlaneEnvironment } from "../../control-plane/routes/environment";
import type { Fault, Faults } from "./faults";

type PlaneContext = Context<PlaneEnvironment>;

/** Responses that represent a broken connection for requests that did not arrive through a socket. */
export const brokenConnections = new WeakSet<Response>();

/** Returns the middleware that injects pending faults into matching requests. */
export function injectFaults(faults: Faults, clock: Clock): MiddlewareHandler<PlaneEnvironment> {
  return async (c, next) => {
    const fault = faults.take(c.req.method, c.req.path);
    if (!fault) return next();
    c.set("fault", fault.kind);
    if (fault.kind === "delay") {
      await new Promise<void>((resolve) => clock.after(fault.ms, resolve));
      return next();
    }
    if (fault.kind !== "truncate" && fault.when !== "after") return faultResponse(c, fault);
    await next();
    const faulty = fault.kind === "truncate" ? await truncated(c, c.res) : faultResponse(c, fault);
    // Without this, the new response would keep the headers of the previous one.
    c.res = undefined;
    c.res = faulty;
    return undefined;
  };
}

function faultResponse(c: PlaneContext, fault: Extract<Fault, { kind: "status" | "reset" }>): Response {
  if (fault.kind === "reset") return reset(c);
  const headers = new Headers({ "content-type": "application/json" });
  if (fault.retryAfter !== undefined) headers.set("retry-after", String(fault.retryAfter));
  const body = fault.body ?? { detail: fault.detail ?? `Injected fault: ${fault.status}.` };
  const empty = fault.status === 204 || fault.status === 304;
  return new Response(empty ? null : JSON.stringify(body), { status: fault.status, headers });
}

function reset(c: PlaneContext): Response {
  const socket = bindingsOf(c)?.incoming?.socket;
  if (!socket) return broken();
  socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT.clone();
}

async function truncated(c: PlaneContext, whole: Response): Promise<Response> {
  const body = await boundedBytes(whole.body, mostHeldBytes);
  const outgoing = bindingsOf(c)?.outgoing;
  if (!outgoing) return broken();
  outgoing.writeHead(whole.status, { ...Object.fromEntries(whole.headers), "content-length": body.length });
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT.clone();
}

/** Returns the bindings of a request, or `undefined` if the application is called without a server. */
function bindingsOf(c: PlaneContext): PlaneContext["env"] | undefined {
  return c.env;
}

function broken(): Response {
  const answer = new Response(null, { status: 500 });
  brokenConnections.add(answer);
  return answer;
}
