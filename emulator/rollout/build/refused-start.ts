/**
 * Returns the error for an agent server that Node refuses to start. Node's own text quotes the rejected value, which
 * may be a secret; it is neither repeated nor kept as the cause.
 */
export function refusedStart(error: unknown, environment: NodeJS.ProcessEnv): Error {
  const unfit = Object.keys(environment).filter((name) => `${name}${environment[name]}`.includes("\0"));
  const why =
    unfit.length > 0
      ? `a null byte is in the environment variable ${unfit.map((name) => JSON.stringify(name)).join(", ")}`
      : `the system refuses with ${(error as { code?: string }).code ?? "an unknown error"}`;
  return new Error(`The agent server cannot be started: ${why}.`);
}
