/**
 * Turns a successful end of the process into a failure until the work has ended, because the engine deletes the resources
 * that a successful program has not declared. Pulumi does not notice the end of a program that calls `process.exit`
 * while nothing is being registered.
 */
export async function failIfEnded(message: string, work: Promise<unknown>): Promise<void> {
  const onExit = (code: number) => {
    if (code !== 0) return;
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  };
  process.on("exit", onExit);
  await Promise.allSettled([work]);
  process.off("exit", onExit);
}
