import { bearerIn } from "../../bearer";
import { refuse } from "../refusal";
import type { Organization, Organizations } from "./organizations";

/** Organization and workspace that a request is made for. */
export interface Caller {
  organization: Organization;
  tenantId: string;
}

export interface Credentials {
  apiKey?: string;
  tenantId?: string;
  authorization?: string;
}

/**
 * Returns the caller of a control plane request: the organization that the key belongs to, and one of its workspaces.
 *
 * @param tenantWanted - True if the workspace must be specified. Otherwise, it defaults to the first workspace of the
 * key.
 */
export function requireCaller(organizations: Organizations, shown: Credentials, tenantWanted = true): Caller {
  const organization = requireKey(organizations, shown.apiKey ?? bearerIn(shown.authorization));
  const tenantId = shown.tenantId || (tenantWanted ? undefined : organization.tenants[0]);
  if (!tenantId) throw refuse.noTenant();
  if (!organization.tenants.includes(tenantId)) throw refuse.foreignTenant();
  return { organization, tenantId };
}

/** Returns the organization that an API key belongs to. */
export function requireKey(organizations: Organizations, apiKey: string | undefined): Organization {
  if (!apiKey) throw refuse.noKey();
  const organization = organizations.byKey(apiKey);
  if (!organization) throw refuse.badKey();
  return organization;
}

/**
 * Returns the organization that any of the authentication schemes identifies: an API key, a bearer credential (also an
 * API key), or a tenant.
 *
 * @param tenantWillDo - True if a tenant, which is not a secret, is sufficient.
 */
export function requireAnyScheme(
  organizations: Organizations,
  shown: Credentials,
  tenantWillDo: boolean,
): Organization {
  const bearer = bearerIn(shown.authorization);
  const byKey =
    (shown.apiKey && organizations.byKey(shown.apiKey)) || (bearer && organizations.byKey(bearer));
  if (byKey) return byKey;
  const byTenant = shown.tenantId && organizations.byTenant(shown.tenantId);
  if (byTenant && tenantWillDo) return byTenant;
  if (byTenant && !shown.apiKey && !shown.authorization) throw refuse.tenantAlone();
  throw shown.apiKey || shown.authorization || shown.tenantId
    ? refuse.badCredential()
    : refuse.noCredential();
}
