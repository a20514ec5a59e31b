/** API keys and the workspaces (tenants) that they give access to. */
export interface Organization {
  name: string;
  apiKeys: string[];
  tenants: string[];
  /**
   * True if the organization's workspaces may have listeners.
   * @default true
   */
  selfHostedEnterprise?: boolean;
}

/** Finds organizations by the credentials of a request. */
export class Organizations {
  readonly #byKey = new Map<string, Organization>();
  readonly #byTenant = new Map<string, Organization>();

  constructor(readonly all: readonly Organization[]) {
    for (const organization of all) {
      for (const key of organization.apiKeys) claim(this.#byKey, key, organization, "An API key");
      for (const tenant of organization.tenants) claim(this.#byTenant, tenant, organization, "A tenant");
    }
  }

  byKey(key: string): Organization | undefined {
    return this.#byKey.get(key);
  }

  byTenant(tenant: string): Organization | undefined {
    return this.#byTenant.get(tenant);
  }

  /** Returns every API key, so that keys can be redacted. */
  keys(): string[] {
    return [...this.#byKey.keys()];
  }
}

function claim(
  owners: Map<string, Organization>,
  value: string,
  organization: Organization,
  what: string,
): void {
  if (!value) throw new Error(`${what} of organization '${organization.name}' is empty.`);
  const owner = owners.get(value);
  if (owner && owner !== organization)
    throw new Error(`${what} belongs to both '${owner.name}' and '${organization.name}'.`);
  owners.set(value, organization);
}
