import { type Command, Option } from "commander";
import { regionHosts } from "../provider/control-plane/base-url";
import type { ControlPlaneClient } from "../provider/control-plane/client";
import { secretsOf, type ConfigReader } from "../provider/control-plane/connection";
import { dialectNames } from "../wire";
import { formatDuration } from "../provider/text/duration";
import { AgentServerError, asError } from "../provider/errors";
import { redactor } from "../provider/text/redact";
import { Session } from "../provider/session/session";
import type { CommandProcess } from "./command-process";
import { printable } from "./printable";
import { readStackConfig, type StackConfig } from "./stack-config";

/** Connection settings on the command line. They never include the API key. */
export interface ConnectionFlags {
  baseUrl?: string;
  region?: string;
  tenantId?: string;
  dialect?: string;
  /** Stack that provides the settings. It belongs to the Pulumi project in the current folder. */
  stack?: string;
}

/** Connection from a command to the control plane. */
export interface ControlPlaneAccess {
  session: Session;
  /** Client that reports retries on `stderr`. */
  client: ControlPlaneClient;
  /** Redacts the API key and all secrets in the stack's configuration. */
  redact: (text: string) => string;
}

/** Adds the connection flags to a command. */
export function withConnectionFlags(command: Command): Command {
  return command
    .option("--base-url <url>", "address of the control plane")
    .addOption(
      new Option("--region <name>", "region of the public service, instead of --base-url").choices(
        Object.keys(regionHosts),
      ),
    )
    .option("--tenant-id <id>", "ID of the workspace")
    .addOption(
      new Option("--dialect <name>", "dialect of the control plane; detected by default").choices([
        ...dialectNames,
      ]),
    )
    .option("--stack <name>", "use the settings of this stack of the Pulumi project in this folder")
    .addHelpText(
      "after",
      `
Connection: each setting is read from the flags, the configuration of --stack, or the environment, in this order
(AGENTSERVER_BASE_URL, AGENTSERVER_API_KEY or AGENTSERVER_ACCESS_TOKEN, AGENTSERVER_TENANT_ID,
AGENTSERVER_DIALECT). The API key and the access token cannot be passed as flags.`,
    );
}

/**
 * Runs `work` with the control plane that the flags, the stack, and the environment specify. Errors contain no secrets.
 * @throws AgentServerError `bad_configuration` or `missing_credentials` if a setting is missing or invalid
 */
export async function withControlPlane<Result>(
  context: CommandProcess,
  flags: ConnectionFlags,
  work: (access: ControlPlaneAccess) => Promise<Result>,
): Promise<Result> {
  const access = await connect(context, flags);
  try {
    return await work(access);
  } catch (thrown) {
    const error = asError(thrown);
    error.message = access.redact(error.message);
    throw error;
  }
}

/** Connects to the control plane that the flags, the stack, and the environment specify, without sending a request. */
export async function connect(
  { cwd, env, clock, random, signal, stderr }: CommandProcess,
  flags: ConnectionFlags,
): Promise<ControlPlaneAccess> {
  const stack = flags.stack === undefined ? undefined : await readStackConfig(flags.stack, cwd, env, signal);
  const session = new Session({ config: settingsReader(flags, stack), env, clock, random });
  const redact = redactor([...secretsOf(connectionOf(session, flags)), ...(stack?.secrets ?? [])]);
  const client = session.client({
    onRetry: ({ message }, pauseMs) =>
      void stderr.write(printable(`${redact(message)}Retrying in ${formatDuration(pauseMs)}.\n`)),
  });
  return { session, client, redact };
}

/**
 * Returns a function that reads a setting from the flags or, if no flag specifies it, from the stack. An address on the
 * command line replaces both address settings of the stack.
 */
function settingsReader(flags: ConnectionFlags, stack: StackConfig | undefined): ConfigReader {
  const { baseUrl, region, tenantId, dialect } = flags;
  // The flags object also contains other options.
  const flagValues: Record<string, string | undefined> = { baseUrl, region, tenantId, dialect };
  const isAddressed = Boolean(baseUrl ?? region);
  return (key) => {
    if (flagValues[key] !== undefined) return flagValues[key];
    if (isAddressed && (key === "baseUrl" || key === "region")) return undefined;
    return stack?.settings[key];
  };
}

function connectionOf(session: Session, flags: ConnectionFlags) {
  try {
    return session.connection;
  } catch (error) {
    if (!AgentServerError.is(error) || flags.stack !== undefined) throw error;
    const hint = "To use the settings of a stack, pass --stack.";
    throw new AgentServerError(error.code, `${error.message} ${hint}`);
  }
}
