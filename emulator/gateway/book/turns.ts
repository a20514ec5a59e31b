/** Lets those who change the same thing do so one after the other. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work as soon as all that came before for this thing is done, well or not. */
  async take<Result>(thing: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(thing) ?? Promise.resolve()).then(work, work);
    this.#last.set(thing, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(thing) === turn) this.#last.delete(thing);
    }
  }
}
