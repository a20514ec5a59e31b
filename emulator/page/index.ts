import { Hono } from "hono";
import type { Clock } from "../clock";
import type { PlaneParts } from "../control-plane/parts";
import type { PlaneEnvironment } from "../control-plane/routes/environment";
import { VirtualClock } from "../admin/virtual-clock";
import { assetRoutes } from "./assets";
import { readingRoutes } from "./readings";

/** What the page is about. */
export interface PageSubject {
  parts: PlaneParts;
  clock: Clock;
  /** Whether the admin API is served under `/admin`. */
  admin: boolean;
  /** Whether rollouts are simulated, so that they can be steered. */
  steerable: boolean;
}

/** What the page needs to know before anybody has signed in; nothing in it is confidential. */
interface PageFacts {
  /** ISO 8601, by the control plane's clock. */
  now: string;
  baseUrl: string;
  dialect: string;
  admin: boolean;
  steerable: boolean;
  virtualTime: boolean;
}

/**
 * The page for a person at `GET /`, with what belongs to it under `/page`.
 *
 * @example
 * app.route("/", pageRoutes({ parts, clock, admin: true, steerable: true }));
 */
export function pageRoutes({ parts, clock, admin, steerable }: PageSubject): Hono<PlaneEnvironment> {
  const app = new Hono<PlaneEnvironment>();
  app.get("/page/facts", (c) => {
    const facts: PageFacts = {
      now: new Date(clock.now()).toISOString(),
      baseUrl: parts.baseUrl(),
      dialect: parts.dialect.name,
      admin,
      steerable,
      virtualTime: clock instanceof VirtualClock,
    };
    return c.json(facts, 200, { "Cache-Control": "no-store" });
  });
  app.route("/page", readingRoutes(parts));
  app.route("/", assetRoutes());
  return app;
}
