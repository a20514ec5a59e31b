import { shellWord } from "../../provider/text/shell-word";

/** A running control plane, and the source of its API key. */
interface EmulatedConnection {
  baseUrl: string;
  tenantId: string;
  apiKey: string;
  /** True if the user has configured the API key; otherwise, the key is generated. */
  isConfigured: boolean;
  /** File that contains the configured API key. */
  apiKeyFile?: string | undefined;
  /** State folder, which contains the generated API key. */
  state?: string | undefined;
  /** True if the output is a terminal. The API key is displayed only in a terminal. */
  isTerminal: boolean;
}

/** Returns the shell commands that set the environment variables for the connection. */
export function connectionLines({ baseUrl, tenantId, ...key }: EmulatedConnection): string[] {
  return [
    `export AGENTSERVER_BASE_URL=${shellWord(baseUrl)}`,
    `export AGENTSERVER_TENANT_ID=${shellWord(tenantId)}`,
    keyLine(key),
  ];
}

/** Returns the line about the control plane's web console. A link that signs in is shown only in a terminal. */
export function consoleLine(
  { baseUrl, isTerminal, isConfigured, state }: EmulatedConnection,
  signInLink: () => string,
): string {
  if (isTerminal) return `Web console: ${signInLink()} (the link works once, within ten minutes)`;
  if (!isConfigured && state === undefined) return `Web console: ${baseUrl}`;
  // The key is passed on standard input, because other users can read the arguments of a command.
  const headers = `printf 'X-Api-Key: %s\\nX-Tenant-Id: %s\\n' "$AGENTSERVER_API_KEY" "$AGENTSERVER_TENANT_ID"`;
  const request = `curl -sX POST -H @- ${shellWord(`${baseUrl}/page/sign-in-codes`)}`;
  return `Web console: ${baseUrl}. After these exports, this command returns a link that signs you in: ${headers} | ${request}`;
}

function keyLine(key: Omit<EmulatedConnection, "baseUrl" | "tenantId">): string {
  const { apiKey, apiKeyFile, isConfigured, isTerminal, state } = key;
  if (isConfigured)
    return apiKeyFile === undefined
      ? "# AGENTSERVER_API_KEY is already set in your environment."
      : `export AGENTSERVER_API_KEY="$(cat ${shellWord(apiKeyFile)})"`;
  if (state !== undefined) {
    const script = shellWord("JSON.parse(fs.readFileSync(process.argv[1])).apiKey");
    return `export AGENTSERVER_API_KEY="$(node -p ${script} ${shellWord(`${state}/credentials.json`)})"`;
  }
  return isTerminal
    ? `export AGENTSERVER_API_KEY=${shellWord(apiKey)}`
    : "# AGENTSERVER_API_KEY is not printed because the output is not a terminal. To use a known key, set AGENTSERVER_API_KEY before you start the control plane.";
}
