import { Hono } from "hono";
import type { AdminAccess } from "../control-plane/access/admin-key";
import type { PlaneEnvironment } from "../control-plane/routes/environment";
import { refuseLargeBodies } from "../control-plane/validation/bodies";
import {
  advanceBody,
  faultBody,
  journalQuery,
  lingerBody,
  pushBody,
  statusBody,
  steeringBody,
  stepBody,
  tokenBody,
  tracingProjectBody,
  quirksBody,
} from "./bodies";
import type { AdminLibrary } from "./library";
import { bodyOf, done, valid } from "./request";
import { workspaceActions } from "./workspaces/routes";

/**
 * Returns the routes of the admin API, to be mounted at `/admin`: the methods of `AdminLibrary`, with JSON bodies and
 * responses.
 */
export function adminRoutes(admin: AdminLibrary, access: AdminAccess): Hono<PlaneEnvironment> {
  const app = new Hono<PlaneEnvironment>();
  app.use("*", async (c, next) => {
    access.require(c.req.header("x-api-key"));
    await next();
  });
  app.use("*", refuseLargeBodies);
  app.post("/faults", async (c) => done(c, admin.fault(await bodyOf(c, faultBody))));
  app.delete("/faults", (c) => done(c, admin.clearFaults()));
  app.post("/steering", async (c) => done(c, admin.steer(await bodyOf(c, steeringBody))));
  app.get("/journal", (c) => {
    const { writes, agents, ...filter } = valid(journalQuery, c.req.query(), "query");
    return c.json({
      entries: admin.journal({ ...filter, writes: writes === "true", agents: agents === "true" }),
    });
  });
  app.delete("/journal", (c) => done(c, admin.clearJournal()));
  app.post("/linger", async (c) => {
    const { seconds, finalSeconds } = await bodyOf(c, lingerBody);
    return done(c, admin.lingerDeleted(seconds, finalSeconds));
  });
  app.post("/quirks", async (c) => done(c, admin.setQuirks(await bodyOf(c, quirksBody))));
  app.post("/tracing-projects", async (c) => {
    const { name, tenantId } = await bodyOf(c, tracingProjectBody);
    return done(c, admin.leaveTracingProject(name, tenantId));
  });
  app.post("/tokens", async (c) => done(c, admin.seedToken(await bodyOf(c, tokenBody))));
  app.post("/authentications/:id/complete", (c) => done(c, admin.completeAuthentication(c.req.param("id"))));
  app.post("/clock/advance", async (c) => done(c, await admin.advance((await bodyOf(c, advanceBody)).ms)));
  app.post("/reset", async (c) => done(c, await admin.reset()));
  deploymentActions(app, admin);
  workspaceActions(app, admin);
  return app;
}

function deploymentActions(app: Hono<PlaneEnvironment>, admin: AdminLibrary): void {
  app.post("/deployments/:deployment/step", async (c) => {
    const { revisionId, status } = await bodyOf(c, stepBody);
    return c.json({ status: await admin.step(c.req.param("deployment"), revisionId, status) });
  });
  app.post("/deployments/:deployment/status", async (c) => {
    const { revisionId, status, message } = await bodyOf(c, statusBody);
    return done(c, await admin.setStatus(c.req.param("deployment"), revisionId, status, message));
  });
  app.get("/deployments/:deployment/revisions/:revision/statuses", (c) => {
    const { deployment, revision } = c.req.param();
    const kept = admin.statuses(deployment, revision);
    return c.json({ statuses: kept.map(({ status, at }) => ({ status, at: new Date(at).toISOString() })) });
  });
  app.post("/deployments/:deployment/revisions", async (c) =>
    c.json({ revisionId: admin.pushRevision(c.req.param("deployment"), await bodyOf(c, pushBody)) }),
  );
}
