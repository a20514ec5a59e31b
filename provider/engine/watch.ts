import { fstatSync } from "node:fs";

/** The process of a dynamic provider, as far as the watch needs it. */
type ProviderProcess = Pick<NodeJS.Process, "argv" | "stdin" | "exit">;

/**
 * Ends this process when the engine that started it is no more: its end of the pipe at standard input closes. An engine
 * that is killed would leave it behind for ever, at work on what nobody waits for. Elsewhere nothing is watched.
 */
export function endWithEngine(host: ProviderProcess): void {
  if (!/[\\/]dynamic-provider\b/.test(host.argv[1] ?? "") || !isPipe(host.stdin.fd)) return;
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
