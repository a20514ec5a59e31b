/** Control plane and workspace of deployments, according to the configuration of the stack or of the provider. */
export interface Connection {
  /** Cloud data region, even if the configuration specifies its URL instead. */
  region?: string;
  /** Host of the control plane, including the port. */
  host?: string;
  /** ID of the workspace. */
  tenantId?: string;
}

/** Host of the control plane in each cloud data region. */
const regionHosts = new Map([
  ["us", "api.host.langchain.com"],
  ["eu", "eu.api.host.langchain.com"],
]);

/**
 * Returns the connection that the provider will use. Each setting is resolved separately, first from the Pulumi
 * configuration, then from the environment.
 *
 * @param config reads a setting of the `agentserver` namespace
 */
export function connectionOf(
  config: (key: string) => string | undefined,
  env: NodeJS.ProcessEnv,
): Connection {
  const tenantId = config("tenantId")?.trim() || env.AGENTSERVER_TENANT_ID?.trim() || undefined;
  const region = config("region")?.trim();
  if (region) return { region, host: regionHosts.get(region), tenantId };
  const host = hostOf(config("baseUrl")?.trim() || env.AGENTSERVER_BASE_URL?.trim());
  return { region: [...regionHosts].find(([, name]) => name === host)?.[0], host, tenantId };
}

function hostOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}
