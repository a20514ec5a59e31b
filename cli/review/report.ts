import { z } from "zod";

const count = z.int().min(0);

/** Possible changes to a deployment. */
export const reviewActions = [
  "replace",
  "delete",
  "unclear",
  "roll out",
  "create",
  "adopt",
  "wait",
  "retain",
  "patch",
  "record",
  "none",
] as const;

const action = z
  .enum(reviewActions)
  .describe(
    [
      "replace: deleted and recreated",
      "delete",
      "unclear: changed in a way that the preview does not explain; treated as a rollout",
      "roll out: a new revision",
      "create",
      "adopt: an existing deployment is adopted, and rolled out again if it differs",
      "wait: the update waits for a rollout that is still in progress",
      "retain: left in place, and no longer managed",
      "patch: changed without a new revision",
      "record: only the Pulumi state changes",
      "none",
    ].join("; "),
  );

const change = z.object({
  path: z.string().describe("The input, such as sourceRevisionConfig.repoRef"),
  effect: z
    .enum(["replace", "confirm", "revision", "patch", "remove", "state", "along", "create"])
    .describe(
      "Effect of the change; remove: data of the resource is deleted; along: changed as part of a replacement; create: set when the resource is created",
    ),
  from: z.string().optional().describe("Old value as short text; missing for secrets"),
  to: z.string().optional().describe("New value as short text; missing for secrets and unknown values"),
  summary: z
    .string()
    .optional()
    .describe("Description of a change whose values are not readable, such as hashes"),
  unknown: z.boolean().describe("The new value is not known before the update"),
  hidden: z.boolean().describe("The values are secret"),
});

const held = z.object({
  kind: z.enum(["assistant", "cron"]),
  id: z.string(),
  name: z.string().optional().describe("Name of an assistant, or schedule of a cron"),
  resource: z.string().optional().describe("Name, in the program, of the resource that recreates it, if any"),
});

const interruption = z.object({
  known: z
    .boolean()
    .describe("True if the agent server of the deployment has reported what would be interrupted or lost"),
  why: z.string().optional().describe("Reason why `known` is false"),
  activeRuns: count.optional().describe("Threads with a run in progress"),
  threads: count.optional(),
  assistants: count.optional(),
  crons: count.optional(),
  items: count.optional().describe("Number of items in the store; at most 1000 are counted"),
  held: z.array(held).optional().describe("Crons and non-default assistants that would be lost"),
  namespaces: z.array(z.string()).optional().describe("First labels of the store's namespaces, at most 100"),
});

const drift = z.object({
  gone: z.boolean().describe("The deployment was deleted outside Pulumi"),
  changes: z.array(
    z.object({
      path: z.string(),
      recorded: z.string().optional().describe("Value in the Pulumi state; missing for secrets"),
      found: z.string().optional().describe("Value on the control plane; missing for secrets"),
      summary: z.string().optional().describe("Description of a change whose values are not readable"),
    }),
  ),
  notes: z.array(z.string()),
});

const duration = z.object({
  ms: count.optional().describe("Omitted if unknown"),
  basis: z
    .enum(["past rollouts", "last rollout", "unknown"])
    .describe(
      "past rollouts: the median of the deployment's rollouts on the control plane; last rollout: the rollout in the Pulumi state",
    ),
  rollouts: count.describe("Number of rollouts that the duration is based on"),
});

const policyResult = z.object({
  policy: z.string(),
  pack: z.string(),
  level: z.enum(["mandatory", "advisory", "remediated"]),
  resource: z.string().optional().describe("Name in the program"),
  urn: z.string().optional(),
  message: z.string(),
});

const deploymentReview = z.object({
  resource: z.string().describe("Name in the program"),
  urn: z.string(),
  name: z.string().optional().describe("Name on the control plane, if it is known and not secret"),
  deploymentId: z.string().optional(),
  action,
  createsFirst: z
    .boolean()
    .optional()
    .describe("In a replacement: the new deployment is created before the old one is deleted"),
  mayReplace: z.boolean().describe("A value that is not known yet may turn the change into a replacement"),
  approved: z.boolean().describe("The replacement was approved with --approve-replace"),
  rollsOut: z.boolean().describe("True if the change is treated as a rollout"),
  changes: z.array(change),
  secrets: z.array(z.string()).describe("Names of the secrets that change; never values"),
  notes: z.array(z.string()),
  warnings: z.array(z.string()).describe("Warnings of the preview"),
  interruption: interruption
    .optional()
    .describe("Omitted if the change cannot interrupt runs or delete contents"),
  drift: drift.optional(),
  expectedDuration: duration.optional().describe("Omitted if nothing is being rolled out"),
  sourcePosition: z.object({ file: z.string(), line: count }).optional(),
});

/** Possible changes to a resource that is not a deployment. */
export const resourceActions = [
  "replace",
  "delete",
  "unclear",
  "create",
  "retain",
  "change",
  "record",
  "none",
] as const;

const resourceReview = z.object({
  resource: z.string().describe("Name in the program"),
  urn: z.string(),
  kind: z.string().describe("For example Assistant, Cron, or StoreItems"),
  name: z.string().optional().describe("Name of an assistant, or schedule of a cron"),
  id: z.string().optional(),
  deployment: z
    .string()
    .optional()
    .describe("Name, in the program, of the deployment that contains it, if the preview knows it"),
  action: z
    .enum(resourceActions)
    .describe(
      [
        "replace: deleted and recreated",
        "delete",
        "unclear: changed in a way that the preview does not explain",
        "create",
        "retain: left in place, and no longer managed",
        "change",
        "record: only the Pulumi state changes",
        "none",
      ].join("; "),
    ),
  mayReplace: z.boolean().describe("A value that is not known yet may turn the change into a replacement"),
  approved: z.boolean().describe("The replacement was approved with --approve-replace"),
  changes: z.array(change),
  notes: z.array(z.string()),
  warnings: z.array(z.string()).describe("Warnings of the preview"),
  drift: drift.optional(),
  sourcePosition: z.object({ file: z.string(), line: count }).optional(),
});

const gate = z.enum(["preview", "replace", "delete", "drift", "policy", "rollouts"]);

/** Contents of a review. The formats determine only how the contents are presented. */
export const reviewReport = z.object({
  version: z.literal(1),
  project: z.string().optional(),
  stack: z.string().optional(),
  folder: z.string().optional().describe("Folder of the project, if it is below the folder of the review"),
  preview: z.object({
    failed: z.boolean(),
    errors: z.array(z.object({ resource: z.string().optional(), message: z.string() })),
    refreshed: z.boolean().describe("True if the preview checked for drift"),
  }),
  deployments: z.array(deploymentReview).describe("Deployments, most severe change first"),
  resources: z
    .array(resourceReview)
    .default([])
    .describe(
      "This provider's resources other than deployments, such as assistants and crons, most severe change first",
    ),
  otherResources: z
    .record(z.string(), count)
    .describe("Number of resources of other types, by operation: created, updated, …"),
  promotions: z
    .array(z.string())
    .optional()
    .describe(
      "Promotions: what is waiting, why, and what to do. Omitted if there are no messages about promotions",
    ),
  rollouts: count,
  notAsked: z
    .string()
    .optional()
    .describe(
      "Reason why the control plane was not queried for active runs and for contents that would be lost",
    ),
  policies: z.array(policyResult).optional().describe("Omitted if the preview contains no policy results"),
  failures: z
    .array(z.object({ gate, resource: z.string().optional(), message: z.string() }))
    .describe("Reasons why the review fails; empty if it passes"),
});

export type ReviewAction = (typeof reviewActions)[number];
export type ReviewChange = z.infer<typeof change>;
export type Interruption = z.infer<typeof interruption>;
export type Drift = z.infer<typeof drift>;
export type ExpectedDuration = z.infer<typeof duration>;
export type DeploymentReview = z.infer<typeof deploymentReview>;
export type ResourceAction = (typeof resourceActions)[number];
export type ResourceReview = z.infer<typeof resourceReview>;
export type Held = z.infer<typeof held>;
export type ReviewFailure = z.infer<typeof reviewReport>["failures"][number];
export type ReviewReport = z.infer<typeof reviewReport>;

/** Path of the report's schema in the package. */
export const reviewReportSchemaPath = "schemas/review-report.schema.json";

/** Returns the published schema of the report, as JSON Schema. */
export function reviewReportSchema(): object {
  return {
    title: "Report of `agentserver review --format json`",
    ...z.toJSONSchema(reviewReport, { target: "draft-7" }),
  };
}
