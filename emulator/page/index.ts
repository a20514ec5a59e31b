import { Hono, type Context } from "hono";
import type { Clock } from "../clock";
import type { AdminAccess } from "../control-plane/access/admin-key";
import type { PlaneDeps } from "../control-plane/deps";
import type { PlaneEnvironment } from "../control-plane/routes/environment";
import { VirtualClock } from "../admin/virtual-clock";
import { assetRoutes } from "./assets";
import { readingRoutes } from "./readings";
import { type PageSession, type SignInCodes, signInLink } from "../control-plane/access/sign-in-codes";
import { z } from "zod";
import { requireCaller } from "../control-plane/access/guard";
import { Refusal } from "../control-plane/refusal";
import { refuseLargeBodies } from "../control-plane/validation/bodies";

/** Control plane that the web console shows. */
interface PageSubject {
  deps: PlaneDeps;
  clock: Clock;
  /** Access to the admin API; absent if it is not served. */
  adminAccess: AdminAccess | undefined;
  /** True if rollouts are simulated and can therefore be controlled. */
  steerable: boolean;
  codes: SignInCodes<PageSession>;
  /** Codes that give access to a deployment's own origin, each issued for the ID of one deployment. */
  agentCodes: SignInCodes<string>;
}

/** Facts that the web console needs before sign-in. None of them are confidential. */
interface PageFacts {
  /** Time in ISO 8601 format, according to the clock of the control plane. */
  now: string;
  baseUrl: string;
  dialect: string;
  /**
   * State of the admin API: whether it is served under `/admin`, has its own key, and accepts the key of the request.
   */
  admin: { served: boolean; ownKey: boolean; open: boolean };
  steerable: boolean;
  virtualTime: boolean;
}

/**
 * Returns the routes of the web console at `GET /`, with its files under `/page`.
 *
 * @example app.route("/", pageRoutes({ deps, clock, adminAccess, steerable: true, codes, agentCodes }));
 */
export function pageRoutes({
  deps,
  clock,
  adminAccess,
  steerable,
  codes,
  agentCodes,
}: PageSubject): Hono<PlaneEnvironment> {
  const app = new Hono<PlaneEnvironment>();
  app.get("/page/facts", (c) => {
    const facts: PageFacts = {
      now: new Date(clock.now()).toISOString(),
      baseUrl: deps.baseUrl(),
      dialect: deps.dialect.name,
      admin: {
        served: adminAccess !== undefined,
        ownKey: adminAccess?.hasOwnKey ?? false,
        open: adminAccess?.allows(c.req.header("x-api-key")) ?? false,
      },
      steerable,
      virtualTime: clock instanceof VirtualClock,
    };
    return c.json(facts, 200, { "Cache-Control": "no-store" });
  });
  // The command-line client sends users here to watch a deployment.
  app.get("/o/:tenant/host/deployments/:deployment", (c) =>
    c.redirect(`/#/deployments/${encodeURIComponent(c.req.param("deployment"))}`),
  );
  app.route("/page", signInRoutes(deps, codes, agentCodes, adminAccess));
  app.route("/page", readingRoutes(deps));
  app.route("/", assetRoutes());
  return app;
}

const exchange = z.object({ code: z.string() });

/**
 * Returns the routes for the sign-in codes of the web console. `POST /page/sign-in-codes` creates a code for a key, and
 * `POST /page/sign-in` exchanges the code for the keys, once. `POST /page/agents/:deployment/sign-in-codes` creates a
 * code for a deployment's own origin. The routes accept only JSON, because pages of other origins cannot send it
 * without a preflight request.
 */
function signInRoutes(
  deps: PlaneDeps,
  codes: SignInCodes<PageSession>,
  agentCodes: SignInCodes<string>,
  adminAccess: AdminAccess | undefined,
): Hono<PlaneEnvironment> {
  const app = new Hono<PlaneEnvironment>();
  app.use("*", refuseLargeBodies);
  const callerOf = (c: Context) => {
    const shown = { apiKey: c.req.header("x-api-key"), tenantId: c.req.header("x-tenant-id") };
    return { ...requireCaller(deps.organizations, shown), apiKey: shown.apiKey! };
  };
  app.post("/sign-in-codes", (c) => {
    const { organization, tenantId, apiKey } = callerOf(c);
    const adminKey = c.req.header("x-admin-key");
    if (adminKey !== undefined) adminAccess?.require(adminKey);
    const session = { apiKey, tenantId, ...(adminKey !== undefined && { adminKey }) };
    const code = codes.make(organization.name, session);
    return c.json({ code, link: signInLink(deps.baseUrl(), code) }, 201, { "Cache-Control": "no-store" });
  });
  app.post("/agents/:deployment/sign-in-codes", (c) => {
    const { tenantId, organization } = callerOf(c);
    const { id } = deps.deploymentService.deployment(tenantId, c.req.param("deployment"));
    return c.json({ code: agentCodes.make(organization.name, id) }, 201, { "Cache-Control": "no-store" });
  });
  app.post("/sign-in", async (c) => {
    const isJson = c.req.header("content-type")?.startsWith("application/json") ?? false;
    const body = exchange.safeParse(isJson ? await c.req.json().catch(() => undefined) : undefined);
    const session = body.success ? codes.take(body.data.code) : undefined;
    if (!session)
      throw new Refusal(
        403,
        "This link has been used, or is older than ten minutes. Sign in with the key instead.",
      );
    return c.json(session, 200, { "Cache-Control": "no-store" });
  });
  return app;
}
