import { z } from "zod";
import { dialectNames } from "../../wire";
import { baseUrlProblem, regions } from "./base-url";
import { hasUnknown } from "../resource/inputs/unknown";
import { text } from "../resource/inputs/shape";

/**
 * Connection to a control plane that is not the configured one. The API key is the value of a configuration key or
 * environment variable, so that neither inputs nor state contain it.
 */
export const connectionInputs = z
  .strictObject({
    baseUrl: text
      .superRefine((value, context) => {
        const problem = baseUrlProblem(value);
        if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
      })
      .optional(),
    region: z.enum(regions).optional(),
    tenantId: text.optional(),
    dialect: z.enum(dialectNames).optional(),
    apiKeyFrom: text,
  })
  .superRefine(({ baseUrl, region, tenantId, dialect }, context) => {
    if ((baseUrl === undefined) === (region === undefined))
      context.addIssue({
        code: "custom",
        path: [],
        message: "requires either a baseUrl or a region, but not both",
      });
    if (tenantId === undefined && dialect !== "langsmith")
      context.addIssue({
        code: "custom",
        path: ["tenantId"],
        message: 'is required, unless the dialect is "langsmith"',
      });
  });

export type ConnectionInputs = z.infer<typeof connectionInputs>;

/** True if the connection is fully known and valid. */
export function isConnection(value: unknown): value is ConnectionInputs {
  return !hasUnknown(value) && connectionInputs.safeParse(value).success;
}
