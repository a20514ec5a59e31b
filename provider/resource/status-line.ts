import type { Clock } from "../clock";

/** Maximum time between two status lines during a wait, in milliseconds. */
const repeatMs = 10_000;

/** Writes one short line to the engine's status column for the resource. */
export type WriteStatus = (line: string) => void;

/**
 * Status line of a resource, which is written when the status changes, and otherwise every 10 seconds. The engine
 * displays the elapsed time itself. It also truncates the line to the width of the terminal, so the status comes first.
 */
export class StatusLine {
  private shown: string | undefined;
  private shownAt = 0;
  private startedAt: number | undefined;

  constructor(
    private readonly write: WriteStatus,
    private readonly clock: Clock,
    /** Keys that the user presses to end a wait. */
    private readonly cancelKeys: string,
    private readonly action?: string,
  ) {}

  /**
   * Returns the same status line for an action other than the one that the engine displays.
   * @param action for example `rollback to 764bc0ed`
   */
  during(action: string): StatusLine {
    return new StatusLine(this.write, this.clock, this.cancelKeys, action);
  }

  /**
   * Displays a status, unless the same status was displayed recently.
   * @param status the current status, in a word or two
   * @param details text that may be truncated; must not include seconds
   */
  show(status: string, details: string): void {
    const now = this.clock.now();
    this.startedAt ??= now;
    if (status === this.shown && now - this.shownAt < repeatMs) return;
    this.shown = status;
    this.shownAt = now;
    // After a while, the line explains how to cancel the wait.
    const lasts = now - this.startedAt >= repeatMs;
    this.write(
      `${this.action ? `${this.action}: ` : ""}${status}, ${details}${lasts ? `; press ${this.cancelKeys} to stop waiting, and run \`pulumi up\` to resume` : ""}`,
    );
  }
}
