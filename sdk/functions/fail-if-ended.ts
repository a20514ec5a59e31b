/**
 * Makes the process fail if it ends successfully before the work has ended, because the engine deletes resources that a
 * successful program has not declared. Pulumi does not detect a program that calls `process.exit` while no registration
 * is pending.
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
