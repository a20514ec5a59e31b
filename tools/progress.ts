/** Stream for progress output: standard error by default, a recorder in tests. */
export interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Clock of a progress writer. */
export interface ProgressClock {
  now(): number;
  /** Calls `action` every `periodMs` until the returned function is called. */
  every(periodMs: number, action: () => void): () => void;
}

/** Reports the current phase of a running step. */
export type Report = (phase: string) => void;

const systemClock: ProgressClock = {
  now: () => performance.now(),
  every(periodMs, action) {
    const timer = setInterval(action, periodMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const framePeriodMs = 120;
const plainPeriodMs = 30_000;

/**
 * Displays long steps. On a terminal, a step is a live line with the elapsed time, which is replaced with a final `✓`
 * or `✗` line. Otherwise, plain lines are printed at the start, every 30 s, and at the end.
 *
 * @example
 * await new Progress().step("building the engine", async (report) => { report("compiling"); … });
 */
export class Progress {
  constructor(
    private readonly stream: ProgressStream = process.stderr,
    private readonly clock: ProgressClock = systemClock,
  ) {}

  /** Runs `work` as a visible step, and returns its result. Steps cannot be nested. */
  async step<T>(label: string, work: (report: Report) => Promise<T>): Promise<T> {
    const started = this.clock.now();
    const elapsed = () => this.clock.now() - started;
    let phase = "";
    let frame = 0;
    const status = () => (phase ? `${label}: ${phase}` : label);
    const draw = () =>
      this.redraw(`${frames[frame++ % frames.length]} ${status()}  ${Math.floor(elapsed() / 1000)}s`);

    if (this.stream.isTTY) draw();
    else this.stream.write(`${label}…\n`);
    const stop = this.stream.isTTY
      ? this.clock.every(framePeriodMs, draw)
      : this.clock.every(plainPeriodMs, () =>
          this.stream.write(`${status()} (${Math.round(elapsed() / 1000)}s so far)\n`),
        );

    let mark = "✗";
    try {
      const result = await work((next) => (phase = next));
      mark = "✓";
      return result;
    } finally {
      stop();
      this.writeLine(`${mark} ${label}  ${(elapsed() / 1000).toFixed(1)}s`);
    }
  }

  /** Writes a permanent line, replacing the live line if there is one. */
  writeLine(line: string): void {
    this.stream.write(this.stream.isTTY ? `\r\x1b[2K${line}\n` : `${line}\n`);
  }

  private redraw(line: string): void {
    // Terminals of unknown width may report 0.
    const width = (this.stream.columns || 80) - 1;
    this.stream.write(`\r\x1b[2K${line.length > width ? `${line.slice(0, width - 1)}…` : line}`);
  }
}
