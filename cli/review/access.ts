import { AgentServerError } from "../../provider/errors";
import { redactor } from "../../provider/text/redact";
import type { CommandProcess } from "../command-process";
import { connect, type ConnectionFlags, type ControlPlaneAccess } from "../connection";
import { readStackConfig } from "../stack-config";

/** Session with the control plane, or the reason that there is no session. */
export type Access = ControlPlaneAccess["session"] | { unknown: string };

/**
 * Connects to the control plane for a review. Without a connection, a review still reports the results of the preview,
 * and redacts known secrets.
 */
export async function accessFrom(
  here: CommandProcess,
  options: ConnectionFlags & { offline: boolean },
): Promise<{ access: Access; redact: (text: string) => string }> {
  try {
    const { baseUrl, region, tenantId, dialect, stack } = options;
    const { session, redact } = await connect(here, { baseUrl, region, tenantId, dialect, stack });
    return { access: options.offline ? { unknown: "--offline was specified" } : session, redact };
  } catch (error) {
    if (!AgentServerError.is(error)) throw error;
    const secrets = await secretsOf(here, options.stack);
    return {
      access: { unknown: options.offline ? "--offline was specified" : error.message },
      redact: redactor([
        here.env.AGENTSERVER_API_KEY ?? "",
        here.env.AGENTSERVER_ACCESS_TOKEN ?? "",
        ...secrets,
      ]),
    };
  }
}

async function secretsOf({ cwd, env, signal }: CommandProcess, stack: string | undefined): Promise<string[]> {
  if (stack === undefined) return [];
  try {
    return (await readStackConfig(stack, cwd, env, signal)).secrets;
  } catch {
    return [];
  }
}
