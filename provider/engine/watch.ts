import { fstatSync } from "node:fs";

/** Members of the provider's process that this module uses. */
type ProviderProcess = Pick<NodeJS.Process, "argv" | "stdin" | "exit">;

/** Stops the process of a dynamic provider when its engine exits. Has no effect in other processes. */
export function endWithEngine(host: ProviderProcess): void {
  if (/[\\/]dynamic-provider\b/.test(host.argv[1] ?? "")) endWithInput(host);
}

/**
 * Stops this process after the process that started it has exited. The exit closes the pipe to standard input.
 * Otherwise, this process would keep running after its engine was killed.
 */
export function endWithInput(host: Omit<ProviderProcess, "argv">): void {
  if (!isPipe(host.stdin.fd)) return;
  const end = () => host.exit(1);
  host.stdin.on("end", end).on("error", end).resume();
}

function isPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}
