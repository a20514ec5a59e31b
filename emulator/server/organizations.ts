import type { ControlPlaneOptions } from "./options";
import { generatedOrganization } from "./credentials";
import { Organizations } from "../control-plane/access/organizations";

/**
 * Returns the organizations in the options, or a generated one if the options specify none.
 *
 * @param tenantsInUse - Tenants with deployments in the state.
 */
export function chooseOrganizations(
  { organizations, apiKey, tenantId, state }: ControlPlaneOptions,
  tenantsInUse: readonly string[],
): Organizations {
  if (organizations && (apiKey !== undefined || tenantId !== undefined))
    throw new Error("Give either `organizations` or `apiKey` and `tenantId`, not both.");
  if (organizations) {
    if (!organizations[0]?.apiKeys[0] || !organizations[0].tenants[0])
      throw new Error("The first of `organizations` needs an API key and a tenant.");
    return new Organizations(organizations);
  }
  const isGiven = apiKey !== undefined && tenantId !== undefined;
  const made = generatedOrganization(isGiven ? undefined : state, tenantsInUse);
  return new Organizations([
    {
      name: made.name,
      apiKeys: apiKey === undefined ? made.apiKeys : [apiKey],
      tenants: tenantId === undefined ? made.tenants : [tenantId],
    },
  ]);
}
