/** Serializes work per key. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<Result>(about: string, work: () => Promise<Result>): Promise<Result> {
    const mine = (this.#last.get(about) ?? Promise.resolve()).then(work, work);
    this.#last.set(about, mine);
    const over = (): void => {
      if (this.#last.get(about) === mine) this.#last.delete(about);
    };
    void mine.then(over, over);
    return mine;
  }
}
