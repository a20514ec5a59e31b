/** Queue that runs the functions for each key one after another. */
export class SerialQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier functions for this key have ended, whether they succeeded or not. */
  async run<Result>(thing: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(thing) ?? Promise.resolve()).then(work, work);
    this.#last.set(thing, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(thing) === turn) this.#last.delete(thing);
    }
  }
}
