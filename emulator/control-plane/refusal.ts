import type { ValidationItem } from "../../wire";

type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 503;

/** Error for a rejected request. The response is `{"detail": …}`. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly status: RefusalStatus,
    readonly detail: string | ValidationItem[],
    readonly headers: Record<string, string> = {},
  ) {
    super(typeof detail === "string" ? detail : "The request is not valid.");
  }
}

/** Errors for rejected requests, by subject. */
export const refuse = {
  noKey: () => new Refusal(401, "Missing API key: send it in the X-Api-Key header."),
  badKey: () => new Refusal(401, "Invalid API key."),
  noCredential: () =>
    new Refusal(401, "Missing credentials: send an API key, a tenant ID, or a bearer credential."),
  tenantAlone: () =>
    new Refusal(
      401,
      "A tenant ID alone only allows reading and authenticating: also send an API key or a bearer credential.",
    ),
  badCredential: () => new Refusal(401, "Invalid credentials."),
  noTenant: () =>
    new Refusal(403, "This request requires workspace specification: send the X-Tenant-Id header."),
  foreignTenant: () =>
    new Refusal(403, "This API key has no access to the workspace in the X-Tenant-Id header."),
  noDeployment: (id: string) => new Refusal(404, `Deployment ID ${id} not found.`),
  noRevision: (id: string) => new Refusal(404, `Revision ID ${id} not found.`),
  beingDeleted: (id: string) => new Refusal(409, `Deployment ID ${id} is being deleted.`),
  nameTaken: (name: string) => new Refusal(409, `A deployment named '${name}' already exists.`),
  agentDeployed: () => new Refusal(409, "A deployment already exists for this agent environment"),
  tracingProject: (name: string) =>
    new Refusal(
      409,
      `A tracing project named '${name}' already exists. Delete it, or choose another name for the deployment.`,
    ),
  source: (problem: string) => new Refusal(400, `Source configuration error: ${problem}`),
  reservedSecret: (name: string) =>
    new Refusal(400, `The name '${name}' is reserved and cannot be used for a secret.`),
  notDeletedYet: (id: string) =>
    new Refusal(400, `Deployment ID ${id} is active. Delete it without 'force' first.`),
  notInProgress: (id: string, status: string) =>
    new Refusal(400, `Revision ID ${id} is not in progress: it is ${status}.`),
  wrongTier: (tier: string) => new Refusal(400, `'${tier}' is not supported for this type of deployment.`),
  noTier: () => new Refusal(400, "At least one of 'compute_tier' and 'database_tier' is required."),
  fixed: (field: string) =>
    new Refusal(
      400,
      `'${field}' cannot be changed after the deployment has been created. Create a new deployment instead.`,
    ),
};
