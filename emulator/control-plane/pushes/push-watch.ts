import type { Clock } from "../../clock";
import { Background } from "../background";
import { type Branch, branchOf, followedBranch, sameRepository } from "./branch";
import { PushEvents, type PushEventsDeps } from "./push-events";
import type { RemoteBranches } from "./remote-branches";
import { SerialQueue } from "../../serial-queue";

export interface PushWatchDeps extends PushEventsDeps {
  clock: Clock;
  remoteBranches: RemoteBranches;
  /** Polling interval in seconds; 0 disables polling. */
  seconds: number;
  /** Called with internal errors of the control plane. */
  reportError: (error: unknown) => void;
}

type Followed = Branch & { deploymentId: string };

/** Creates revisions from pushes to the branches that deployments follow. */
export class PushWatch {
  readonly #pushEvents: PushEvents;
  readonly #queue = new SerialQueue();
  readonly #background: Background;
  readonly #closing = new AbortController();
  #takeBack: (() => void) | undefined;

  constructor(private readonly deps: PushWatchDeps) {
    this.#pushEvents = new PushEvents(deps);
    this.#background = new Background((error) => deps.reportError(error));
  }

  /** Starts to poll the branches of all deployments. */
  start(): void {
    if (this.deps.seconds > 0) this.#lookIn(0);
  }

  /** Checks the branch of a deployment that was created or changed. */
  changed(deploymentId: string): void {
    if (this.deps.seconds <= 0) return;
    const followed = this.#followed().filter((one) => one.deploymentId === deploymentId);
    if (followed.length === 0) this.#pushEvents.ignore(deploymentId);
    this.#background.add(this.#lookAt(followed));
  }

  /**
   * Immediately processes a push.
   *
   * @param commit - Pushed commit. If omitted, it is read from the repository if repositories are polled; otherwise,
   * the push is accepted without a commit.
   * @returns the IDs of the created revisions.
   */
  async notify(repoUrl: string, ref: string, commit?: string): Promise<string[]> {
    const branch = branchOf(ref);
    const followed = this.#followed().filter(
      (one) => one.branch === branch && sameRepository(one.repoUrl, repoUrl),
    );
    if (commit === undefined && this.deps.seconds > 0) return this.#lookAt(followed);
    const tell = (one: Followed) => this.#pushEvents.learn(one.deploymentId, one, commit ?? null);
    return this.#eachRepository(followed, () => Promise.resolve(tell));
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("The control plane is shutting down."));
    this.#takeBack?.();
    await this.#background.over();
  }

  #lookIn(ms: number): void {
    if (this.#closing.signal.aborted) return;
    this.#takeBack = this.deps.clock.after(ms, () => {
      const look = this.#lookAt(this.#followed());
      this.#background.add(look.finally(() => this.#lookIn(this.deps.seconds * 1000)));
    });
  }

  #lookAt(followed: Followed[]): Promise<string[]> {
    return this.#eachRepository(followed, async (repoUrl, branches) => {
      // A repository that cannot be read is skipped until the next poll.
      const remoteBranches = await this.deps
        .remoteBranches(repoUrl, branches, this.#closing.signal)
        .catch(() => undefined);
      return (
        remoteBranches &&
        ((one) => this.#pushEvents.seen(one.deploymentId, one, remoteBranches.get(one.branch) ?? null))
      );
    });
  }

  /**
   * Reads the repositories one after another, and then updates each deployment. Resolves with the IDs of the created
   * revisions.
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
      this.#queue.run(repoUrl, async () => {
        const its = followed.filter((one) => one.repoUrl === repoUrl);
        const treat = await ask(repoUrl, [...new Set(its.map(({ branch }) => branch))]);
        if (!treat || this.#closing.signal.aborted) return [];
        return its.flatMap((one) => treat(one)?.id ?? []);
      }),
    );
    return (await Promise.all(made)).flat();
  }

  #followed(): Followed[] {
    const { store } = this.deps;
    return store.deployments.all().flatMap((deployment) => {
      const branch = followedBranch(deployment, store.revisions.latest(deployment.id));
      return branch ? [{ ...branch, deploymentId: deployment.id }] : [];
    });
  }
}
