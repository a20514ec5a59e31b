import { z } from "zod";
import { wireSecret, wireSourceRevisionConfig } from "../../wire";
import type { Quirks } from "../control-plane/quirks/quirks";
import type { Fault } from "./faults/faults";
import type { ForeignPush, TokenSeed } from "./library";
import type { SteeringPlan } from "./steering/plan";

// All schemas are strict, because a misspelled field in a test's request would otherwise be ignored.

const target = {
  method: z.string().optional(),
  path: z.string().optional(),
  times: z.number().int().min(1).optional(),
};
const moment = z.enum(["before", "after"]);

export const faultBody = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("status"),
    status: z.number().int().min(200).max(599),
    detail: z.string().optional(),
    body: z.unknown().optional(),
    retryAfter: z.union([z.number(), z.string()]).optional(),
    when: moment.optional(),
    ...target,
  }),
  z.strictObject({ kind: z.literal("delay"), ms: z.number().min(0), ...target }),
  z.strictObject({ kind: z.literal("reset"), when: moment, ...target }),
  z.strictObject({ kind: z.literal("truncate"), ...target }),
]) satisfies z.ZodType<Fault>;

export const steeringBody = z.strictObject({
  deployment: z.string().optional(),
  revisionId: z.string().optional(),
  pace: z
    .union([
      z.enum(["at once", "step by step"]),
      z.strictObject({ secondsPerStatus: z.number().min(0) }),
      z.strictObject({ afterSeconds: z.number().min(0) }),
      z.strictObject({ afterReads: z.number().int().min(0) }),
    ])
    .optional(),
  verdict: z.string().optional(),
  statuses: z.array(z.string().min(1)).optional(),
  reason: z.string().optional(),
  logs: z
    .array(
      z.strictObject({
        type: z.enum(["build", "deploy"]).optional(),
        level: z.enum(["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]).optional(),
        message: z.string(),
      }),
    )
    .optional(),
  times: z.number().int().min(1).optional(),
}) satisfies z.ZodType<SteeringPlan>;

export const stepBody = z.strictObject({
  revisionId: z.string().optional(),
  status: z.string().min(1).optional(),
});

export const statusBody = z.strictObject({
  revisionId: z.string().optional(),
  status: z.string().min(1),
  message: z.string().optional(),
});

export const pushBody = z.strictObject({
  sourceRevisionConfig: wireSourceRevisionConfig.optional(),
  secrets: z.array(wireSecret).optional(),
}) satisfies z.ZodType<ForeignPush>;

export const lingerBody = z.strictObject({
  seconds: z.number().min(0),
  finalSeconds: z.number().min(0).optional(),
});

export const quirksBody = z.strictObject({
  orphanedTracingProjects: z.boolean().optional(),
  longNamesNeverReady: z.boolean().optional(),
  databaseSeconds: z.number().min(0).optional(),
  organizationKeys: z.boolean().optional(),
}) satisfies z.ZodType<Partial<Quirks>>;

export const tracingProjectBody = z.strictObject({
  name: z.string().min(1),
  tenantId: z.string().optional(),
});
export const advanceBody = z.strictObject({ ms: z.number().min(0) });

export const tokenBody = z.strictObject({
  organization: z.string().optional(),
  userId: z.string(),
  provider: z.string(),
  scopes: z.array(z.string()),
  token: z.string(),
  expiresInSeconds: z.number().optional(),
}) satisfies z.ZodType<TokenSeed>;

export const journalQuery = z.strictObject({
  writes: z.enum(["true", "false"]).optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  after: z.coerce.number().int().min(0).optional(),
  agents: z.enum(["true", "false"]).optional(),
});
