import { z } from "zod";

const graphSpec = z
  .string()
  .regex(/^[^:]+:[^:]+$/, 'must have the format "path:export", for example "./src/agent.ts:graph"');

/** A graph configuration, with the fields that the local control plane reads. */
export const configurationSchema = z.looseObject({
  graphs: z
    .record(
      z.string().min(1),
      z.union([
        graphSpec.transform((path) => ({ path, description: undefined })),
        z
          .looseObject({ path: graphSpec, description: z.string().optional() })
          .transform(({ path, description }) => ({ path, description })),
      ]),
    )
    .refine((graphs) => Object.keys(graphs).length > 0, "must contain at least one graph"),
  env: z
    .union([
      z.string(),
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)),
    ])
    .default({}),
  python_version: z.unknown().optional(),
  node_version: z.unknown().optional(),
  dependencies: z.array(z.string()).optional(),
  pip_config_file: z.string().optional(),
  auth: z.looseObject({ path: z.string().optional() }).optional(),
  ui: z.record(z.string(), z.string()).optional(),
  ui_config: z.looseObject({}).optional(),
  http: z.looseObject({ app: z.string().optional(), disable_assistants: z.boolean().optional() }).optional(),
  store: z.looseObject({}).optional(),
  checkpointer: z.looseObject({}).optional(),
  webhooks: z.looseObject({}).optional(),
});

export type Configuration = z.infer<typeof configurationSchema>;

/** Formats schema violations on a single line. */
export function spellIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${issue.path.join(".") || "the whole file"}: ${spellIssue(issue)}`)
    .join("; ");
}

function spellIssue(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union") return issue.message;
  // The error of the alternative that matches best is the most helpful one.
  const deepest = issue.errors
    .flat()
    .sort(
      (a, b) =>
        b.path.length - a.path.length ||
        Number(b.code === "invalid_format") - Number(a.code === "invalid_format"),
    )[0];
  return deepest
    ? [...(deepest.path.length ? [deepest.path.join(".")] : []), deepest.message].join(": ")
    : issue.message;
}
