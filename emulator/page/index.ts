import { Hono } from "hono";
import type { Clock } from "../clock";
import type { AdminAccess } from "../control-plane/access/admin-key";
import type { PlaneDeps } from "../control-plane/deps";
import type { PlaneEnvironment } from "../control-plane/routes/environment";
import { VirtualClock } from "../admin/virtual-clock";
import { assetRoutes } from "./assets";
import { readingRoutes } from "./readings";
import { signInRoutes } from "./sign-in";
import type { PageSession, SignInCodes } from "../control-plane/access/sign-in-codes";

/** Subject of the page. */
export interface PageSubject {
  deps: PlaneDeps;
  clock: Clock;
  /** Access to the admin API; absent if it is not served. */
  adminAccess: AdminAccess | undefined;
  /** True if rollouts are simulated, so that they can be steered. */
  steerable: boolean;
  codes: SignInCodes<PageSession>;
  /** Codes that open the own origin of a deployment, each for the id of one. */
  agentCodes: SignInCodes<string>;
}

/** Facts that the page needs before sign-in; none of them is confidential. */
interface PageFacts {
  /** ISO 8601, by the control plane's clock. */
  now: string;
  baseUrl: string;
  dialect: string;
  /** State of the admin API: served under `/admin`, has its own key, and opened by the key of the request. */
  admin: { served: boolean; ownKey: boolean; open: boolean };
  steerable: boolean;
  virtualTime: boolean;
}

/**
 * Returns the routes of the page at `GET /`, with its files under `/page`.
 *
 * @example
 * app.route("/", pageRoutes({ parts, clock, adminAccess, steerable: true, codes, agentCodes }));
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
  // The command line client sends users here to watch a deployment.
  app.get("/o/:tenant/host/deployments/:deployment", (c) =>
    c.redirect(`/#/deployments/${encodeURIComponent(c.req.param("deployment"))}`),
  );
  app.route("/page", signInRoutes(deps, codes, agentCodes, adminAccess));
  app.route("/page", readingRoutes(deps));
  app.route("/", assetRoutes());
  return app;
}
