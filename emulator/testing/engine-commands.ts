import { setTimeout as sleep } from "node:timers/promises";
import type { PulumiCommand } from "@pulumi/pulumi/automation";

/** Time until interrupted commands are terminated, and the maximum time that they then need, in milliseconds. */
const [gracefulMs, terminatedMs] = [1_000, 10_000];

/** Arguments, folder, environment, two output functions, and a signal. */
type Run = (...parameters: [string[], string, object, unknown?, unknown?, AbortSignal?]) => Promise<unknown>;

/** Commands of the engine, which end when they are stopped. */
export class EngineCommands {
  private readonly running = new Map<Promise<unknown>, AbortController>();
  private isStopped = false;

  /** Returns the command as one that belongs to these commands. */
  including(command: PulumiCommand): PulumiCommand {
    // The types of the package omit this method.
    const { run } = command as unknown as { run: Run };
    const tracked: Run = async (args, folder, environment, onOutput, onError, signal) => {
      if (this.isStopped)
        throw new Error("The control plane is closed, so its stacks can no longer be used.");
      const interruption = new AbortController();
      signal?.addEventListener("abort", () => interruption.abort(), { once: true });
      if (signal?.aborted) interruption.abort();
      const end = run.call(command, args, folder, environment, onOutput, onError, interruption.signal);
      this.running.set(end, interruption);
      return end.finally(() => this.running.delete(end));
    };
    return Object.create(command, { run: { value: tracked } }) as PulumiCommand;
  }

  /** Stops the running commands as Ctrl-C does, and waits until they have ended. Later commands fail. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.running.size === 0) return;
    for (const interruption of this.running.values()) interruption.abort();
    if (await this.haveEnded(gracefulMs)) return;
    // The engine terminates when it is interrupted again.
    for (const { signal } of this.running.values()) signal.dispatchEvent(new Event("abort"));
    await this.haveEnded(terminatedMs);
  }

  private async haveEnded(ms: number): Promise<boolean> {
    const waiting = new AbortController();
    const ended = Promise.allSettled(this.running.keys()).then(() => true);
    const late = sleep(ms, false, { signal: waiting.signal }).catch(() => false);
    return Promise.race([ended, late]).finally(() => waiting.abort());
  }
}
