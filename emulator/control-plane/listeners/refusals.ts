import { Refusal } from "../refusal";

/** Refusals that concern listeners, in the service's words if they are known. */
export const refuseListener = {
  plan: (tenantId: string) =>
    new Refusal(
      403,
      `Listeners cannot be created for LangSmith workspace ID '${tenantId}'. Creating listeners is only allowed ` +
        "for LangSmith organizations with self-hosted enterprise plans.",
    ),
  unknown: (id: string) => new Refusal(404, `Listener ID ${id} not found.`),
  taken: (tenantId: string, computeId: string) =>
    new Refusal(
      409,
      `Listener for LangSmith workspace ID '${tenantId}' and compute ID '${computeId}' already exists.`,
    ),
  fixed: (field: string) =>
    new Refusal(
      400,
      `'${field}' cannot be changed after the listener was created. Make a new listener instead.`,
    ),
};
