import { setTimeout as sleep } from "node:timers/promises";
import type { PulumiCommand } from "@pulumi/pulumi/automation";

/**
 * Time after which interrupted commands are terminated, and maximum time to wait for them afterward, in milliseconds.
 */
const [gracefulMs, terminatedMs] = [1_000, 10_000];

/**
 * Method that runs a command. Its parameters are the arguments, the folder, the environment, two output functions, and
 * a signal.
 */
type Run = (...parameters: [string[], string, object, unknown?, unknown?, AbortSignal?]) => Promise<unknown>;

/** Running commands of the engine, which can be stopped together. */
export class EngineCommands {
  private readonly running = new Map<Promise<unknown>, AbortController>();
  private isStopped = false;

  /** Returns a copy of the command. The `stop` method stops the runs of this copy. */
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

  /**
   * Stops the running commands in the same way as Ctrl-C, and waits until they have ended. Commands that are started
   * later fail.
   */
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
