import { z } from "zod";
import { isCommit } from "../../../wire";
import type { IntegrationSeed } from "../../control-plane/integrations/seed";

export const integrationBody = z.strictObject({
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

export const pushNoticeBody = z.strictObject({
  repoUrl: z.string().min(1),
  ref: z.string().min(1),
  commit: z.string().refine(isCommit, "must be the full id of a commit").optional(),
});

export const planBody = z.strictObject({
  selfHostedEnterprise: z.boolean(),
  organization: z.string().optional(),
});
