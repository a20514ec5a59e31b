/** Work that nobody waits for, except whoever closes. */
export class Background {
  readonly #underWay = new Set<Promise<void>>();

  /** @param complain - Told when some of it fails. */
  constructor(private readonly complain: (error: unknown) => void) {}

  add(work: Promise<unknown> | undefined): void {
    if (!work) return;
    const over: Promise<void> = work.then(
      () => undefined,
      (error: unknown) => this.complain(error),
    );
    this.#underWay.add(over);
    void over.then(() => this.#underWay.delete(over));
  }

  /** Resolves when all that was added has ended. */
  async over(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}
