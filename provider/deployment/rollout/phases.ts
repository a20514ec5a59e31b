import { formatDuration } from "../../resource/duration";

/** One status of a rollout, and for how long it was seen, in milliseconds. */
export interface Phase {
  status: string;
  ms: number;
}

/** The statuses that a revision goes through, as the looks at it show them. */
export class Phases {
  private readonly seen: { status: string; at: number }[] = [];

  /** Notes a look. */
  see(status: string, at: number): void {
    if (this.seen.at(-1)?.status !== status) this.seen.push({ status, at });
  }

  /** All but the last one, which is final and lasts. */
  until(end: number): Phase[] {
    return this.seen
      .slice(0, -1)
      .map(({ status, at }, place) => ({ status, ms: (this.seen[place + 1]?.at ?? end) - at }));
  }
}

/** Phases in words: `CREATING 3s, BUILDING 1m10s`. */
export function phasesInWords(phases: readonly Phase[]): string {
  return phases.map(({ status, ms }) => `${status} ${formatDuration(ms)}`).join(", ");
}
