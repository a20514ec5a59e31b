import { z } from "zod";
import { assistantInputs } from "../../provider/assistant/inputs";
import { cronInputs } from "../../provider/cron/inputs";
import { text } from "../../provider/resource/inputs/shape";
import { storeItemsInputs } from "../../provider/store-items/inputs";

const common = {
  deployment: text
    .regex(/^[^$]*$/, "must be the name of a manifest, and cannot contain a reference")
    .optional()
    .describe("metadata.name of the manifest of the deployment that contains the resource."),
  connection: z
    .strictObject({
      url: text.describe("Address of the agent server; a different one replaces the resource."),
      apiKeyFrom: text
        .optional()
        .describe(
          "Name of the configuration key or of the environment variable that contains the server's key.",
        ),
    })
    .optional()
    .describe("Any other agent server, instead of a deployment."),
  protect: z
    .boolean()
    .optional()
    .describe("True to reject the removal of the manifest instead of deleting the resource."),
  retain: z
    .boolean()
    .optional()
    .describe("True to keep the resource on the agent server when the manifest is removed."),
};

/**
 * Returns the schema for the spec of a resource in a deployment: the inputs of the resource, and its Pulumi options.
 */
function specOf<Shape extends z.core.$ZodLooseShape>(inputs: z.ZodObject<Shape>, ...foundOut: string[]) {
  const { deployment: _deployment, connection: _connection, ...own } = inputs.shape;
  const given = Object.fromEntries(Object.entries(own).filter(([field]) => !foundOut.includes(field)));
  return z.strictObject({ ...common, ...given } as never).superRefine((spec: object, context) => {
    const { deployment, protect, retain, ...others } = spec as Record<string, unknown>;
    const named = deployment === undefined ? {} : { deployment: { id: deployment } };
    for (const issue of inputs.safeParse({ ...others, ...named }).error?.issues ?? [])
      context.addIssue({ code: "custom", message: issue.message, path: issue.path });
  });
}

/** Specs of resources in a deployment, keyed by manifest kind. */
export const insideSpecs = {
  Assistant: specOf(assistantInputs),
  Cron: specOf(cronInputs),
  StoreItems: specOf(storeItemsInputs, "itemHashes"),
};

/** Kind of the manifest of a resource in a deployment. */
export type InsideKind = keyof typeof insideSpecs;

/** All kinds of resources in a deployment. */
export const insideKinds = Object.keys(insideSpecs) as InsideKind[];
