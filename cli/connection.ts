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

/** Connection settings on the command line; the key is never one of them. */
export interface ConnectionFlags {
  baseUrl?: string;
  region?: string;
  tenantId?: string;
  dialect?: string;
  /** A stack of the Pulumi project in this folder, whose configuration is taken. */
  stack?: string;
}

/** The control plane that a command speaks to. */
export interface ControlPlaneAccess {
  session: Session;
  /** Says on `stderr` when a request is tried again. */
  client: ControlPlaneClient;
  /** Takes the API key, and all secrets of the stack's configuration, out of a text. */
  redact: (text: string) => string;
}

/** Adds the flags of a connection to a command. */
export function withConnectionFlags(command: Command): Command {
  return command
    .option("--base-url <url>", "address of the control plane")
    .addOption(
      new Option("--region <name>", "region of the cloud service, in place of --base-url").choices(
        Object.keys(regionHosts),
      ),
    )
    .option("--tenant-id <id>", "the workspace")
    .addOption(new Option("--dialect <name>", "detected if it is left out").choices([...dialectNames]))
    .option("--stack <name>", "take the settings of this stack of the Pulumi project in this folder")
    .addHelpText(
      "after",
      `
Connection: each setting is looked up separately: first in the flags, then in the configuration of --stack, then in the
environment (AGENTSERVER_BASE_URL, AGENTSERVER_API_KEY or AGENTSERVER_ACCESS_TOKEN, AGENTSERVER_TENANT_ID,
AGENTSERVER_DIALECT). Neither the API key nor the access token is ever a flag.`,
    );
}

/**
 * Runs a command's work with the control plane that flags, stack and environment name. Its errors hold no secret.
 * @throws AgentServerError `bad_configuration` or `missing_credentials` when a setting is missing or wrong
 */
export async function withControlPlane<Result>(
  surroundings: CommandProcess,
  flags: ConnectionFlags,
  work: (access: ControlPlaneAccess) => Promise<Result>,
): Promise<Result> {
  const access = await connect(surroundings, flags);
  try {
    return await work(access);
  } catch (thrown) {
    const error = asError(thrown);
    error.message = access.redact(error.message);
    throw error;
  }
}

/** The control plane that flags, stack and environment name; makes no request. */
export async function connect(
  { cwd, env, clock, random, signal, stderr }: CommandProcess,
  flags: ConnectionFlags,
): Promise<ControlPlaneAccess> {
  const stack = flags.stack === undefined ? undefined : await readStackConfig(flags.stack, cwd, env, signal);
  const session = new Session({ config: settingsFrom(flags, stack), env, clock, random });
  const redact = redactor([...secretsOf(connectionOf(session, flags)), ...(stack?.secrets ?? [])]);
  const client = session.client({
    onRetry: ({ message }, pauseMs) =>
      void stderr.write(printable(`${redact(message)} Trying again in ${formatDuration(pauseMs)}.\n`)),
  });
  return { session, client, redact };
}

/** A flag, else the stack's setting. An address on the command line takes the place of both kinds of address there. */
function settingsFrom(flags: ConnectionFlags, stack: StackConfig | undefined): ConfigReader {
  const { baseUrl, region, tenantId, dialect } = flags;
  // A command has other options, too.
  const given: Record<string, string | undefined> = { baseUrl, region, tenantId, dialect };
  const isAddressed = Boolean(baseUrl ?? region);
  return (key) => {
    if (given[key] !== undefined) return given[key];
    if (isAddressed && (key === "baseUrl" || key === "region")) return undefined;
    return stack?.settings[key];
  };
}

function connectionOf(session: Session, flags: ConnectionFlags) {
  try {
    return session.connection;
  } catch (error) {
    if (!AgentServerError.is(error) || flags.stack !== undefined) throw error;
    const way = "To take the settings of a stack, name it with --stack.";
    throw new AgentServerError(error.code, `${error.message} ${way}`);
  }
}
