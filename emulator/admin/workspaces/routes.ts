import type { Hono } from "hono";
import type { PlaneEnvironment } from "../../control-plane/routes/environment";
import type { AdminLibrary } from "../library";
import { bodyOf, done } from "../request";
import { integrationBody, planBody, pushNoticeBody } from "./bodies";

/**
 * Adds the actions of the administration on workspaces: their integrations, pushes to their repositories, and their
 * plan.
 */
export function workspaceActions(app: Hono<PlaneEnvironment>, admin: AdminLibrary): void {
  app.post("/integrations", async (c) =>
    c.json({ integrationId: admin.seedIntegration(await bodyOf(c, integrationBody)) }),
  );
  app.delete("/integrations/:id", (c) => done(c, admin.removeIntegration(c.req.param("id"))));
  app.post("/pushes", async (c) => {
    const { repoUrl, ref, commit } = await bodyOf(c, pushNoticeBody);
    return c.json({ revisionIds: await admin.notifyPush(repoUrl, ref, commit) });
  });
  app.post("/plan", async (c) => {
    const { selfHostedEnterprise, organization } = await bodyOf(c, planBody);
    return done(c, admin.setSelfHostedEnterprise(selfHostedEnterprise, organization));
  });
}
