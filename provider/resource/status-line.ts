import type { Clock } from "../clock";

/** Longest silence during a wait, in milliseconds. */
const repeatMs = 10_000;

/** Writes one short line into the engine's status column of the resource. */
export type WriteStatus = (line: string) => void;

/**
 * One resource's status line: speaks when the status changes, else every 10 seconds. The engine shows the time that has
 * passed by itself, and cuts the line where the terminal ends: what changes stands first.
 */
export class StatusLine {
  private shown: string | undefined;
  private shownAt = 0;
  private startedAt: number | undefined;

  constructor(
    private readonly write: WriteStatus,
    private readonly clock: Clock,
    private readonly action?: string,
  ) {}

  /** The same line while something else is done than the engine says. @param action for example `rollback to 764bc0ed` */
  during(action: string): StatusLine {
    return new StatusLine(this.write, this.clock, action);
  }

  /** @param status what is waited for to change, in a word or two @param details what may be cut off; no seconds */
  show(status: string, details: string): void {
    const now = this.clock.now();
    this.startedAt ??= now;
    if (status === this.shown && now - this.shownAt < repeatMs) return;
    this.shown = status;
    this.shownAt = now;
    // A wait that lasts is the moment to say how to leave it: the first Ctrl-C cannot reach this process.
    const lasts = now - this.startedAt >= repeatMs;
    this.write(
      `${this.action ? `${this.action}: ` : ""}${status}, ${details}${lasts ? "; Ctrl-C twice leaves it to the control plane, the next up resumes" : ""}`,
    );
  }
}
