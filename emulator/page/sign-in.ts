import { type Context, Hono } from "hono";
import { z } from "zod";
import type { AdminAccess } from "../control-plane/access/admin-key";
import { requireCaller } from "../control-plane/access/guard";
import type { PlaneDeps } from "../control-plane/deps";
import { Refusal } from "../control-plane/refusal";
import type { PlaneEnvironment } from "../control-plane/routes/environment";
import { refuseLargeBodies } from "../control-plane/validation/bodies";
import { type PageSession, type SignInCodes, signInLink } from "../control-plane/access/sign-in-codes";

const exchange = z.object({ code: z.string() });

/**
 * Returns the routes for codes of the page: `POST /page/sign-in-codes` creates one for a key, and `POST /page/sign-in`
 * exchanges it for the keys, once. `POST /page/agents/:deployment/sign-in-codes` creates a code for the own origin of a
 * deployment. Only JSON is accepted, which a page of another origin cannot send without a preflight request.
 */
export function signInRoutes(
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
    const { id } = deps.catalogue.deployment(tenantId, c.req.param("deployment"));
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
