import type { Clock } from "../clock";

/** Longest silence during a wait, in milliseconds. */
const repeatMs = 10_000;

/** Writes one short line into the engine's status column of the resource. */
export type WriteStatus = (line: string) => void;

/** One resource's status line: speaks when the status changes, else every 10 seconds. */
export class StatusLine {
  private shown: string | undefined;
  private shownAt = 0;
  private startedAt: number | undefined;

  constructor(
    private readonly write: WriteStatus,
    private readonly clock: Clock,
  ) {}

  /** @param status what is waited for to change @param details time and tries, which change all the time */
  show(status: string, details: string): void {
    const now = this.clock.now();
    this.startedAt ??= now;
    if (status === this.shown && now - this.shownAt < repeatMs) return;
    this.shown = status;
    this.shownAt = now;
    // A wait that lasts is the moment to say how to leave it: the first Ctrl-C cannot reach this process.
    const lasts = now - this.startedAt >= repeatMs;
    this.write(
      `${status}, ${details}${lasts ? "; Ctrl-C twice leaves it to the control plane, the next up resumes" : ""}`,
    );
  }

  /** The last line, which stays in the resource's row. */
  finish(line: string): void {
    if (this.shown !== undefined) this.write(line);
  }
}
