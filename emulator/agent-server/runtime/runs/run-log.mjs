/** Events of one run, numbered from 0, for any number of readers. */
export class RunLog {
  events = [];
  /** True if a reader has ever joined, even if it has disconnected since. */
  joined = false;
  ended = false;
  /** Last state that was streamed, and the error with which the run ended. */
  values = undefined;
  error = undefined;
  #interrupts = new Map();
  #waiting = new Set();

  push(event) {
    if (event.event === "values") this.#note(event.data);
    if (event.event === "error") this.error = event.data;
    this.events.push(event);
    this.#wake();
  }

  /**
   * Result for a caller that waits for the run: the last state, with all interrupts of the run. Each interrupt arrives
   * as a separate event.
   */
  get result() {
    return this.#interrupts.size > 0
      ? { ...this.values, __interrupt__: [...this.#interrupts.values()] }
      : this.values;
  }

  #note(data) {
    if (Array.isArray(data?.__interrupt__))
      for (const asked of data.__interrupt__) this.#interrupts.set(asked.id ?? asked, asked);
    this.values = data;
  }

  end() {
    this.ended = true;
    this.#wake();
  }

  /** Resolves at the next event, when the run ends, when the signal aborts, or after `withinMs`. */
  changed(signal, withinMs) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      signal?.addEventListener("abort", done, { once: true });
      this.#waiting.add(done);
    });
  }

  #wake() {
    for (const done of [...this.#waiting]) done();
  }
}
