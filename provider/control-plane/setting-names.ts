import { configCommand } from "../text/config-command";

/** The settings of the `agentserver` namespace. */
export const settings = [
  "baseUrl",
  "region",
  "apiKey",
  "accessToken",
  "tenantId",
  "dialect",
  "caFile",
  "allowMove",
  "offline",
  "maxRequestsPerSecond",
] as const;

/** The secret settings. */
export const secretSettings = ["apiKey", "accessToken"] as const satisfies readonly Setting[];

export type Setting = (typeof settings)[number];

/** Environment variables that are read if the settings are missing. */
export const settingVariables = {
  baseUrl: "AGENTSERVER_BASE_URL",
  apiKey: "AGENTSERVER_API_KEY",
  accessToken: "AGENTSERVER_ACCESS_TOKEN",
  tenantId: "AGENTSERVER_TENANT_ID",
  dialect: "AGENTSERVER_DIALECT",
  caFile: "AGENTSERVER_CA_FILE",
  offline: "AGENTSERVER_OFFLINE",
  maxRequestsPerSecond: "AGENTSERVER_MAX_REQUESTS_PER_SECOND",
} as const satisfies Partial<Record<Setting, string>>;

/** Source of the settings, as named in messages: an explicit provider, an input of a resource, or the configuration. */
export interface SettingSource {
  /**
   * Name of the explicit provider that specifies the settings. Such a provider does not read Pulumi config, so messages
   * refer to its arguments instead.
   */
  explicitProvider?: string | undefined;
  /** Name of the setting that contains the key, if the connection is an input of a resource. */
  apiKeyFrom?: string | undefined;
}

/** Returns the name of a setting for messages. */
export function settingName(setting: Setting, source: SettingSource): string {
  const { explicitProvider, apiKeyFrom } = source;
  if (isInput(setting, source))
    return setting === "apiKey"
      ? `the key that connection.apiKeyFrom (${apiKeyFrom}) specifies`
      : `connection.${setting}`;
  return explicitProvider === undefined
    ? `agentserver:${setting}`
    : `\`${setting}\` of the explicit provider "${explicitProvider}"`;
}

/** Returns the name of a setting, and the environment variable that is read if the setting is missing. */
export function settingWithVariable(setting: keyof typeof settingVariables, source: SettingSource): string {
  const name = settingName(setting, source);
  return isInput(setting, source) ? name : `${name} (${settingVariables[setting]})`;
}

/** Returns advice to set a setting, by default to a value that is entered at a prompt. */
export function settingAdvice(setting: Setting, source: SettingSource, value?: string): string {
  if (source.explicitProvider !== undefined || isInput(setting, source))
    return `set ${settingName(setting, source)}${value === undefined ? "" : ` to ${value}`}`;
  const isSecret = (secretSettings as readonly Setting[]).includes(setting);
  const command = configCommand(
    { isSecret },
    settingName(setting, source),
    ...(value === undefined ? [] : [value]),
  );
  return value === undefined ? `run \`${command}\`, which prompts for it` : `run \`${command}\``;
}

/** True if an input of a resource, instead of the configuration, specifies the setting. */
function isInput(setting: Setting, { apiKeyFrom }: SettingSource): boolean {
  return apiKeyFrom !== undefined && inputSettings.has(setting);
}

const inputSettings: ReadonlySet<Setting> = new Set(["baseUrl", "region", "apiKey", "tenantId", "dialect"]);
