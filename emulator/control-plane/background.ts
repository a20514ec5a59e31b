/** Tasks that run in the background. Their failures are reported. */
export class Background {
  readonly #underWay = new Set<Promise<void>>();

  /** @param reportError - Called for every failure. */
  constructor(private readonly reportError: (error: unknown) => void) {}

  add(work: Promise<unknown> | undefined): void {
    if (!work) return;
    const over: Promise<void> = work.then(
      () => undefined,
      (error: unknown) => this.reportError(error),
    );
    this.#underWay.add(over);
    void over.then(() => this.#underWay.delete(over));
  }

  /** Resolves when all tasks have completed. */
  async over(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}
