import { AgentServerError } from "../errors";
import { controlPlaneUrl, regionHosts, type Region } from "./base-url";
import { dialectNameIn, dialectOf, type DialectName } from "./dialects";
import { decoded, isLoopback, proxyFor, proxySettings, type ProxySettings } from "../http/proxy";
import { certificatesIn } from "../http/trust";
import {
  type Setting,
  settingAdvice,
  settingName,
  type SettingSource,
  type settingVariables,
  settingWithVariable,
} from "./setting-names";

/** Default request rate limit for a control plane that is not on this machine. */
const defaultRequestsPerSecond = 10;

/** Credential of a request: an API key, or the access token of a user who has logged in. */
export type Credential = { apiKey: string } | { accessToken: string };

/** Network settings for all services. */
interface NetworkSettings {
  /** Certificates in PEM from `agentserver:caFile`, trusted in addition to the default certificates. */
  certificates?: readonly string[] | undefined;
  /** Proxy settings from the environment. Errors do not contain a proxy's password. */
  proxies?: ProxySettings | undefined;
}

/** Address, credential, and options of a control plane. The credential is never written to state, logs, or errors. */
export interface Connection extends NetworkSettings, SettingSource {
  /** Normalized URL, to which `/v2/…` is appended. */
  baseUrl: string;
  credential: Credential;
  /** Missing only if the dialect does not require a workspace. */
  tenantId: string | undefined;
  /** `agentserver:dialect`; if set, the dialect is not detected. */
  dialect: DialectName | undefined;
  /** `agentserver:allowMove`; true if state may refer to a different control plane. */
  allowMove: boolean;
  /** `agentserver:offline`; true if previews send no requests. */
  offline?: boolean;
  /**
   * `agentserver:maxRequestsPerSecond`; omitted if there is no limit, which is the default for a control plane on this
   * machine.
   */
  maxRequestsPerSecond?: number | undefined;
}

/**
 * Configuration key with which a host provides the name of an explicit provider. Such a provider does not
 * read Pulumi config, so messages refer to its arguments instead.
 */
export const explicitProviderKey = "__explicitProvider" as const;

/** Reads one setting, for example from Pulumi config. */
export type ConfigReader = (setting: Setting | typeof explicitProviderKey) => string | undefined;

/**
 * Returns the source of the settings: the explicit provider, if any, and the name of the setting with the API key, if
 * the connection is an input of a resource.
 */
export function settingSource(config: ConfigReader, apiKeyFrom?: string): SettingSource {
  return { explicitProvider: config(explicitProviderKey), apiKeyFrom };
}

/**
 * Resolves each setting of the connection separately, from the Pulumi config or, if it is not set there, from the
 * environment.
 * @param apiKeyFrom name of the setting that contains the key, if the connection is an input of a resource
 * @throws AgentServerError `bad_configuration` or `missing_credentials`, with the setting and how to fix it
 */
export function resolveConnection(
  config: ConfigReader,
  env: NodeJS.ProcessEnv,
  apiKeyFrom?: string,
): Connection {
  const source = settingSource(config, apiKeyFrom);
  const baseUrl = resolveBaseUrl(source, config, env);
  const dialect = configuredDialect(config, env);
  const way = resolveNetwork(config, env);
  // An invalid proxy setting is reported here, before any request is sent.
  proxyFor(baseUrl, "control plane", way.proxies);
  return {
    baseUrl,
    dialect,
    credential: resolveCredential(source, config, env),
    tenantId: resolveTenant(dialect, source, config, env),
    allowMove: isTrue(present(config("allowMove")), settingName("allowMove", source)),
    offline: isOffline(config, env) || undefined,
    maxRequestsPerSecond: resolveRequestLimit(baseUrl, config, env),
    ...way,
    ...source,
  };
}

/**
 * Resolves the network settings for all services.
 * @throws AgentServerError `bad_configuration` for a file without certificates
 */
export function resolveNetwork(config: ConfigReader, env: NodeJS.ProcessEnv): NetworkSettings {
  const caFile = present(config("caFile")) ?? present(env.AGENTSERVER_CA_FILE);
  return {
    certificates:
      caFile === undefined
        ? undefined
        : certificatesIn(caFile, settingWithVariable("caFile", settingSource(config))),
    proxies: proxySettings(env),
  };
}

/** Returns an environment without the variables that specify a control plane. */
export function withoutConnection(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = ["BASE_URL", "API_KEY", "ACCESS_TOKEN", "TENANT_ID", "DIALECT"];
  return { ...env, ...Object.fromEntries(names.map((name) => [`AGENTSERVER_${name}`, undefined])) };
}

/** True if previews send no requests. @throws AgentServerError `bad_configuration` for a value that is not a boolean */
export function isOffline(config: ConfigReader, env: NodeJS.ProcessEnv): boolean {
  const value = present(config("offline")) ?? present(env.AGENTSERVER_OFFLINE);
  return isTrue(value, settingWithVariable("offline", settingSource(config)));
}

/** Returns the secret values of a connection: the key, and the proxy password in every form in which it is sent. */
export function secretsOf({ credential, proxies }: Connection): string[] {
  return [...Object.values<string>(credential), ...proxyPasswords(proxies)];
}

/** Returns the proxy password in every form in which it is sent. */
export function proxyPasswords(proxies: ProxySettings | undefined): string[] {
  return [proxies?.http, proxies?.https].flatMap((setting) => {
    const [, written] = /^(?:[^/]*\/\/)?([^@/]*)@/.exec(setting ?? "") ?? [];
    if (written === undefined) return [];
    const password = written.slice(written.indexOf(":") + 1);
    return [written, password, decoded(password)];
  });
}

/** Returns the headers that contain a credential. */
export function credentialHeaders(credential: Credential): Record<string, string> {
  if ("apiKey" in credential) return { "X-Api-Key": credential.apiKey };
  return { Authorization: `Bearer ${credential.accessToken}` };
}

/**
 * Resolves the credential. The configuration takes precedence over the environment; two credentials in the same place
 * are an error.
 */
function resolveCredential(source: SettingSource, config: ConfigReader, env: NodeJS.ProcessEnv): Credential {
  const name = (setting: Setting) => settingName(setting, source);
  const places = [
    [config("apiKey"), config("accessToken"), `${name("apiKey")} and ${name("accessToken")}`],
    [
      env.AGENTSERVER_API_KEY,
      env.AGENTSERVER_ACCESS_TOKEN,
      "AGENTSERVER_API_KEY and AGENTSERVER_ACCESS_TOKEN",
    ],
  ] as const;
  for (const [key, token, both] of places) {
    const [apiKey, accessToken] = [present(key), present(token)];
    if (apiKey && accessToken)
      throw new AgentServerError("bad_configuration", `${both} are both set; remove one of them.`);
    if (accessToken)
      return { accessToken: requireSendable(accessToken, "access token", "accessToken", source) };
    if (apiKey) return { apiKey: requireSendable(apiKey, "API key", "apiKey", source) };
  }
  throw new AgentServerError(
    "missing_credentials",
    `No API key for the control plane: ${settingAdvice("apiKey", source)}, or ${exportsAdvice(config, env)}.`,
  );
}

/**
 * Returns the configured dialect, if any.
 * @throws AgentServerError `bad_configuration` for an unknown name
 */
export function configuredDialect(config: ConfigReader, env: NodeJS.ProcessEnv): DialectName | undefined {
  const setting = present(config("dialect")) ?? present(env.AGENTSERVER_DIALECT);
  return setting === undefined
    ? undefined
    : dialectNameIn(setting, settingWithVariable("dialect", settingSource(config)));
}

/**
 * Returns advice to set every missing setting in the environment, so that the first error lists all of them. The
 * suggested command can be pasted into a shell.
 */
function exportsAdvice(config: ConfigReader, env: NodeJS.ProcessEnv): string {
  const isSet = (...values: (string | undefined)[]) => values.some((value) => present(value) !== undefined);
  const assignments = [
    isSet(config("region"), config("baseUrl"), env.AGENTSERVER_BASE_URL)
      ? []
      : [`AGENTSERVER_BASE_URL=${regionHosts.us}`],
    isSet(config("apiKey"), config("accessToken"), env.AGENTSERVER_API_KEY, env.AGENTSERVER_ACCESS_TOKEN)
      ? []
      : ["AGENTSERVER_API_KEY='<API_KEY>'"],
    isSet(config("tenantId"), env.AGENTSERVER_TENANT_ID) || !needsTenant(configuredDialect(config, env))
      ? []
      : ["AGENTSERVER_TENANT_ID='<WORKSPACE_ID>'"],
  ];
  return `set these environment variables to your values: \`export ${assignments.flat().join(" ")}\` (\`npx agentserver emulate\` prints the values of a local control plane)`;
}

/** True if the dialect requires a workspace even if the key belongs to a single workspace. */
function needsTenant(dialect: DialectName | undefined): boolean {
  return dialect === undefined || dialectOf(dialect).table.tenantHeader !== "organization keys";
}

/** Resolves the workspace. A key for a single workspace determines the workspace, if the dialect supports such keys. */
function resolveTenant(
  dialect: DialectName | undefined,
  source: SettingSource,
  config: ConfigReader,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const given = present(config("tenantId")) ?? present(env.AGENTSERVER_TENANT_ID);
  if (!given && !needsTenant(dialect)) return undefined;
  if (given) return requireSendable(given, "workspace (tenant) id", "tenantId", source);
  throw new AgentServerError(
    "missing_credentials",
    `No workspace (tenant) ID for the control plane: ${settingAdvice("tenantId", source)}, or ${exportsAdvice(config, env)}.`,
  );
}

function resolveBaseUrl(source: SettingSource, config: ConfigReader, env: NodeJS.ProcessEnv): string {
  const name = (setting: Setting) => settingName(setting, source);
  const configured = present(config("baseUrl"));
  const region = present(config("region"));
  if (configured && region)
    throw new AgentServerError(
      "bad_configuration",
      `${name("baseUrl")} and ${name("region")} are both set; remove one of them.`,
    );
  if (region) {
    if (!Object.hasOwn(regionHosts, region))
      throw new AgentServerError(
        "bad_configuration",
        `${name("region")} is "${region}"; it must be ${Object.keys(regionHosts).join(" or ")}. For a different host, set ${name("baseUrl")}.`,
      );
    return controlPlaneUrl(regionHosts[region as Region], name("region"));
  }
  const address = configured ?? present(env.AGENTSERVER_BASE_URL);
  if (!address)
    throw new AgentServerError(
      "bad_configuration",
      `No control plane is configured: set ${name("region")} (us or eu) or ${name("baseUrl")}, or ${exportsAdvice(config, env)}.`,
    );
  return controlPlaneUrl(address, settingWithVariable("baseUrl", source));
}

function resolveRequestLimit(
  baseUrl: string,
  config: ConfigReader,
  env: NodeJS.ProcessEnv,
): number | undefined {
  const given = present(config("maxRequestsPerSecond")) ?? present(env.AGENTSERVER_MAX_REQUESTS_PER_SECOND);
  if (given === undefined)
    return isLoopback(new URL(baseUrl).hostname) ? undefined : defaultRequestsPerSecond;
  const perSecond = /^\d+(\.\d+)?$/.test(given) ? Number(given) : 0;
  if (perSecond >= 0.1 && perSecond <= 1_000) return perSecond;
  throw new AgentServerError(
    "bad_configuration",
    `${settingWithVariable("maxRequestsPerSecond", settingSource(config))} must be a number from 0.1 to 1000.`,
  );
}

function requireSendable(
  value: string,
  what: string,
  setting: keyof typeof settingVariables,
  source: SettingSource,
): string {
  if (/[^\x21-\x7e]/.test(value))
    throw new AgentServerError(
      "bad_configuration",
      `The ${what} contains a space, a line break, or a character that is not allowed in a header; check ${settingWithVariable(setting, source)}.`,
    );
  return value;
}

function isTrue(value: string | undefined, setting: string): boolean {
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw new AgentServerError("bad_configuration", `${setting} must be true or false.`);
}

function present(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === "" ? undefined : trimmed;
}
