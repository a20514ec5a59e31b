/** Where progress goes: standard error by default, a recorder in tests. */
export interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The time a progress writer lives in. */
export interface ProgressClock {
  now(): number;
  /** Calls `action` every `periodMs` until the returned function is called. */
  every(periodMs: number, action: () => void): () => void;
}

/** Tells what a running step is doing at the moment. */
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
 * Shows long steps: on a terminal one live line with the elapsed time, replaced by a final `✓` or `✗` line;
 * elsewhere plain lines at the start, every 30 s and at the end.
 *
 * @example
 * await new Progress().step("building the engine", async (report) => { report("compiling"); … });
 */
export class Progress {
  constructor(
    private readonly stream: ProgressStream = process.stderr,
    private readonly clock: ProgressClock = systemClock,
  ) {}

  /** Runs `work` as one visible step and passes its result or its error on. Steps do not nest. */
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
      this.say(`${mark} ${label}  ${(elapsed() / 1000).toFixed(1)}s`);
    }
  }

  /** Writes one line that stays, over the live line if there is one. */
  say(line: string): void {
    this.stream.write(this.stream.isTTY ? `\r\x1b[2K${line}\n` : `${line}\n`);
  }

  private redraw(line: string): void {
    // A terminal that does not know its width may say 0.
    const width = (this.stream.columns || 80) - 1;
    this.stream.write(`\r\x1b[2K${line.length > width ? `${line.slice(0, width - 1)}…` : line}`);
  }
}
