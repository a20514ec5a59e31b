import { AgentServerError } from "../provider/errors";
import type { CommandProcess } from "./command-process";
import { printable } from "./printable";

/**
 * Prints a transient failure to `stderr` and resolves with `undefined`, for commands that poll. Rethrows other
 * failures.
 */
export async function catchTransient<Result>(
  request: Promise<Result>,
  { stderr }: CommandProcess,
  redact: (text: string) => string,
): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    if (!AgentServerError.is(error) || !error.isTransient) throw error;
    await stderr.write(`agentserver: ${printable(redact(error.message))}\n`);
    return undefined;
  }
}
