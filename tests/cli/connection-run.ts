import { type CommandProcess, exitCodeOf } from "../../cli/command-process";
import { until } from "../tools/waiting";
import type { World } from "../provider/world";

type Command = (surroundings: CommandProcess) => Promise<number>;

/** A command that runs in this process, against a local control plane in virtual time. */
export class Run {
  stdout = "";
  stderr = "";
  readonly ended: Promise<number>;
  private readonly interruption = new AbortController();

  constructor(
    world: World,
    command: Command,
    change: { isTTY?: boolean; columns?: number; env?: NodeJS.ProcessEnv } = {},
  ) {
    const { isTTY = false, columns, env = {} } = change;
    const collect = (stream: "stdout" | "stderr") => ({
      isTTY,
      columns,
      write: async (text: string) => void (this[stream] += text),
    });
    this.ended = exitCodeOf(command, {
      cwd: process.cwd(),
      env: { ...world.environment, ...env },
      clock: world.time,
      random: () => 0.5,
      stdout: collect("stdout"),
      stderr: collect("stderr"),
      signal: this.interruption.signal,
    });
  }

  /** Waits until the output contains this text. */
  async until(text: string, stream: "stdout" | "stderr" = "stdout"): Promise<void> {
    await until(() => this[stream].includes(text));
  }

  interrupt(): void {
    this.interruption.abort(new Error("interrupted"));
  }
}
