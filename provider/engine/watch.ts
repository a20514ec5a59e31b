import { fstatSync } from "node:fs";

/** The members of a provider's process that are used here. */
type ProviderProcess = Pick<NodeJS.Process, "argv" | "stdin" | "exit">;

/** Ends the process of a dynamic provider with its engine. Has no effect in other processes. */
export function endWithEngine(host: ProviderProcess): void {
  if (/[\\/]dynamic-provider\b/.test(host.argv[1] ?? "")) endWithInput(host);
}

/**
 * Ends this process when the process that started it has ended: its end of the pipe at standard input closes. After an
 * engine is killed, the process would otherwise continue to run without a purpose.
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
