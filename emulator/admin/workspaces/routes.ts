import type { Hono } from "hono";
import type { PlaneEnvironment } from "../../control-plane/routes/environment";
import type { AdminLibrary } from "../library";
import { bodyOf, done } from "../request";
import { z } from "zod";
import { isCommit } from "../../../wire";
import type { IntegrationSeed } from "../../control-plane/integrations/seed";

/** Adds the admin actions for workspaces: their integrations, pushes to their repositories, and their plan. */
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

const integrationBody = z.strictObject({
  id: z.guid().optional(),
  name: z.string().min(1),
  kind: z.enum(["github", "forge-github"]).optional(),
  tenantId: z.string().optional(),
  installationId: z.number().int().min(1).optional(),
  repositories: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        owner: z.string().optional(),
        url: z.string().min(1),
        defaultBranch: z.string().optional(),
      }),
    )
    .optional(),
  folder: z.string().optional(),
}) satisfies z.ZodType<IntegrationSeed>;

const pushNoticeBody = z.strictObject({
  repoUrl: z.string().min(1),
  ref: z.string().min(1),
  commit: z.string().refine(isCommit, "must be a full commit hash").optional(),
});

const planBody = z.strictObject({ selfHostedEnterprise: z.boolean(), organization: z.string().optional() });
