import { bearerIn } from "../../bearer";
import { refuse } from "../refusal";
import type { Organization, Organizations } from "./organizations";

/** On whose behalf a request is made. */
export interface Caller {
  organization: Organization;
  tenantId: string;
}

/** Credentials of a request. */
export interface Credentials {
  apiKey?: string;
  tenantId?: string;
  authorization?: string;
}

/**
 * The caller of a control plane request: a key and a workspace it reaches.
 *
 * @param tenantWanted - Whether the workspace must be named; otherwise it is the key's own, the first one.
 */
export function requireCaller(organizations: Organizations, shown: Credentials, tenantWanted = true): Caller {
  const organization = requireKey(organizations, shown.apiKey ?? bearerIn(shown.authorization));
  const tenantId = shown.tenantId || (tenantWanted ? undefined : organization.tenants[0]);
  if (!tenantId) throw refuse.noTenant();
  if (!organization.tenants.includes(tenantId)) throw refuse.foreignTenant();
  return { organization, tenantId };
}

/** The organization an API key belongs to. */
export function requireKey(organizations: Organizations, apiKey: string | undefined): Organization {
  if (!apiKey) throw refuse.noKey();
  const organization = organizations.byKey(apiKey);
  if (!organization) throw refuse.badKey();
  return organization;
}

/**
 * The organization named by any one valid scheme: API key, bearer credential (an API key too) or tenant.
 *
 * @param tenantWillDo - Whether a tenant, which is no secret, is enough.
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
