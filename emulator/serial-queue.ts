/** Queue that runs the work for each key sequentially. */
export class SerialQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Starts the work after all earlier work for this key has ended, whether it succeeded or not. */
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
