import type { Clock } from "../../../emulator/clock";

/** Clock that advances only on request. */
export class VirtualTime implements Clock {
  private time = 0;
  private timers = new Set<{ at: number; action: () => void }>();

  now = (): number => this.time;

  after(delayMs: number, action: () => void): () => void {
    const timer = { at: this.time + delayMs, action };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  pass(ms: number): void {
    this.time += ms;
    for (const timer of [...this.timers]) {
      if (timer.at > this.time || !this.timers.delete(timer)) continue;
      timer.action();
    }
  }
}
