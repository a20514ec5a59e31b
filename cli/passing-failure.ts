import { AgentServerError } from "../provider/errors";
import type { CommandProcess } from "./command-process";
import { printable } from "./printable";

/**
 * For a command that looks again and again: a failure that may pass is reported on `stderr` and gives nothing; any
 * other is thrown.
 */
export async function orInPassing<Result>(
  look: Promise<Result>,
  { stderr }: CommandProcess,
  redact: (text: string) => string,
): Promise<Result | undefined> {
  try {
    return await look;
  } catch (error) {
    if (!AgentServerError.is(error) || !error.isTransient) throw error;
    await stderr.write(`agentserver: ${printable(redact(error.message))}\n`);
    return undefined;
  }
}
