import { AgentServerError } from "../provider/errors";
import type { CommandProcess } from "./command-process";
import { printable } from "./printable";

/**
 * For a command that looks again and again: a failure that may pass is said on `stderr` and gives nothing; any other
 * is thrown.
 */
export async function orInPassing<Result>(
  look: Promise<Result>,
  { stderr }: CommandProcess,
  redact: (text: string) => string,
): Promise<Result | undefined> {
  try {
    return await look;
  } catch (error) {
    const mayPass = AgentServerError.is(error) && ["connection_failed", "server_failed"].includes(error.code);
    if (!mayPass) throw error;
    await stderr.write(`agentserver: ${printable(redact(error.message))}\n`);
    return undefined;
  }
}
