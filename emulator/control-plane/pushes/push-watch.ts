import type { Clock } from "../../clock";
import { Background } from "../background";
import { type Branch, branchOf, followedBranch, sameRepository } from "./branch";
import { News, type NewsParts } from "./push-events";
import type { RemoteHeads } from "./remote-branches";
import { Turns } from "./serial-queue";

/** Dependencies of a watch. */
export interface PushWatchParts extends NewsParts {
  clock: Clock;
  heads: RemoteHeads;
  /** Polling interval in seconds; 0 disables polling. */
  seconds: number;
  /** Called with faults of the control plane itself. */
  complain: (error: unknown) => void;
}

type Followed = Branch & { deploymentId: string };

/** Creates revisions from pushes to the branches that deployments follow. */
export class PushWatch {
  readonly #news: News;
  readonly #turns = new Turns();
  readonly #background: Background;
  readonly #closing = new AbortController();
  #takeBack: (() => void) | undefined;

  constructor(private readonly parts: PushWatchParts) {
    this.#news = new News(parts);
    this.#background = new Background((error) => parts.complain(error));
  }

  /** Starts polling all branches. */
  start(): void {
    if (this.parts.seconds > 0) this.#lookIn(0);
  }

  /** Records a deployment that is new or was changed. */
  changed(deploymentId: string): void {
    if (this.parts.seconds <= 0) return;
    const followed = this.#followed().filter((one) => one.deploymentId === deploymentId);
    if (followed.length === 0) this.#news.ignore(deploymentId);
    this.#background.add(this.#lookAt(followed));
  }

  /**
   * Immediately handles a push.
   *
   * @param commit - Pushed commit. If missing, it is read from the repository if repositories are polled; otherwise the
   * push is accepted without one.
   * @returns the ids of the created revisions.
   */
  async notify(repoUrl: string, ref: string, commit?: string): Promise<string[]> {
    const branch = branchOf(ref);
    const followed = this.#followed().filter(
      (one) => one.branch === branch && sameRepository(one.repoUrl, repoUrl),
    );
    if (commit === undefined && this.parts.seconds > 0) return this.#lookAt(followed);
    const tell = (one: Followed) => this.#news.learn(one.deploymentId, one, commit ?? null);
    return this.#eachRepository(followed, () => Promise.resolve(tell));
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("The control plane is closing."));
    this.#takeBack?.();
    await this.#background.over();
  }

  #lookIn(ms: number): void {
    if (this.#closing.signal.aborted) return;
    this.#takeBack = this.parts.clock.after(ms, () => {
      const look = this.#lookAt(this.#followed());
      this.#background.add(look.finally(() => this.#lookIn(this.parts.seconds * 1000)));
    });
  }

  #lookAt(followed: Followed[]): Promise<string[]> {
    return this.#eachRepository(followed, async (repoUrl, branches) => {
      // A repository that cannot be read now has no news; a later poll may reach it.
      const heads = await this.parts.heads(repoUrl, branches, this.#closing.signal).catch(() => undefined);
      return heads && ((one) => this.#news.seen(one.deploymentId, one, heads.get(one.branch) ?? null));
    });
  }

  /**
   * Reads one repository after another, then updates each deployment; resolves with the ids of the created revisions.
   */
  async #eachRepository(
    followed: Followed[],
    ask: (
      repoUrl: string,
      branches: string[],
    ) => Promise<((one: Followed) => { id: string } | undefined) | undefined>,
  ): Promise<string[]> {
    const repositories = [...new Set(followed.map(({ repoUrl }) => repoUrl))];
    const made = repositories.map((repoUrl) =>
      this.#turns.take(repoUrl, async () => {
        const its = followed.filter((one) => one.repoUrl === repoUrl);
        const treat = await ask(repoUrl, [...new Set(its.map(({ branch }) => branch))]);
        if (!treat || this.#closing.signal.aborted) return [];
        return its.flatMap((one) => treat(one)?.id ?? []);
      }),
    );
    return (await Promise.all(made)).flat();
  }

  #followed(): Followed[] {
    const { store } = this.parts;
    return store.deployments.all().flatMap((deployment) => {
      const branch = followedBranch(deployment, store.revisions.latest(deployment.id));
      return branch ? [{ ...branch, deploymentId: deployment.id }] : [];
    });
  }
}
