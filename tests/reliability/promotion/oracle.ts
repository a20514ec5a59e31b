import { environments } from "./history";

/** A revision on the control plane. */
export interface SeenRevision {
  id: string;
  status: string;
  commit: string;
  /** True if its agent passes the verification. */
  isHealthy: boolean;
}

/** The serving revision, followed by all revisions from newest to oldest. */
export type Seen = [serving: SeenRevision | undefined, ...all: SeenRevision[]];

/** Conditions of a gate. */
export interface GateSettings {
  /** Approved commit or its first digits, null if nothing is approved; undefined if no approval is required. */
  approved?: string | null | undefined;
  soakMs: number;
  /** True if promotions are allowed only from 09:00 to 17:00 UTC. */
  hasWindow: boolean;
}

/** Facts about an update that do not depend on the state of the provider. */
export interface Judged {
  place: number;
  gate: GateSettings | undefined;
  before: Seen;
  after: Seen;
  startedAt: number;
  endedAt: number;
  /** Commit that the program declared; undefined if nothing was promoted and the program failed. */
  source: string | undefined;
  /** Revision that the previous environment serves. */
  upstream: SeenRevision | undefined;
  /** True if the update changed the deployment and succeeded, including its verification. */
  isVerified: boolean;
  /** True if no fault, failure, or other actor affected the update. */
  isUndisturbed: boolean;
  failure: unknown;
}

/** Period in which a commit was verified for the first time. */
interface Verified {
  from: number;
  to: number;
}

type Violations = Record<
  "promotions" | "unverified promotions" | "gate violations" | "missing promotions",
  number
>;

/**
 * Record of what may be promoted. It is based only on the responses of the control plane and the actions of the test.
 */
export class Oracle {
  /** Verified commits by environment. */
  private readonly verified = environments.map(() => new Map<string, Verified>());
  /** Revisions that others have created. */
  private readonly foreign = new Set<string>();
  /**
   * Commits by environment that the stack rolled out in its last successful update or has tried to roll out since then.
   */
  private readonly own = environments.map(() => new Set<string>());

  /** @param keepsForeign true if an environment keeps what another user has rolled out */
  constructor(
    private readonly figures: Violations,
    private readonly keepsForeign: boolean,
  ) {}

  /** Records a revision that another user has created. */
  recordForeign(id: string): void {
    this.foreign.add(id);
  }

  isForeign(revision: SeenRevision | undefined): boolean {
    return revision !== undefined && this.foreign.has(revision.id);
  }

  isInWindow(now: number): boolean {
    const hour = new Date(now).getUTCHours();
    return hour >= 9 && hour < 17;
  }

  /** @throws Error that describes the violated guarantee */
  judge(facts: Judged): void {
    const { place, before, after, source, isVerified, startedAt, endedAt, failure } = facts;
    const [serving] = after;
    const [, ...old] = before;
    const created = after
      .slice(1)
      .filter((one) => one && !old.some(({ id }) => id === one.id) && !this.isForeign(one)) as SeenRevision[];
    const own = this.own[place]!;
    if (place > 0)
      for (const commit of this.acceptedIn(facts, created)) this.requireAllowed(facts, commit, old[0]);
    if (created.length > 0 && failure === undefined) own.clear();
    for (const { commit } of created) own.add(commit);
    if (isVerified && serving?.commit === source && serving) {
      if (!serving.isHealthy)
        this.violate("unverified promotions", facts, "an unhealthy revision was verified");
      const known = this.verified[place]!.get(serving.commit);
      this.verified[place]!.set(serving.commit, known ?? { from: startedAt, to: endedAt });
    }
    if (place > 0 && facts.isUndisturbed) this.requirePromoted(facts);
  }

  /** Returns the commits that an update rolled out or kept, without those that the stack already had before. */
  private acceptedIn({ place, before, after, source, ...facts }: Judged, created: SeenRevision[]): string[] {
    const rolledOut = created.map(({ commit }) => commit);
    if (this.keepsForeign) return rolledOut.filter((commit) => commit !== before[0]?.commit);
    const isDeclared = source !== undefined && facts.failure === undefined;
    const [serving] = after;
    const left = isDeclared && (facts.isVerified || facts.isUndisturbed) && serving ? [serving.commit] : [];
    return [...new Set([...rolledOut, ...left])].filter((commit) => !this.own[place]!.has(commit));
  }

  /** Requires that a new commit had been verified in the previous environment, and that it passed the gate. */
  private requireAllowed(facts: Judged, commit: string, newest: SeenRevision | undefined): void {
    const { place, gate, before, startedAt, endedAt } = facts;
    this.figures.promotions += 1;
    const verified = this.verified[place - 1]!.get(commit);
    if (!verified) this.violate("unverified promotions", facts, `unverified commit ${commit} was rolled out`);
    // An earlier update has promoted the commit, and nothing else is serving.
    if (!before[0] && newest?.commit === commit) return;
    const { approved, soakMs = 0, hasWindow = false } = gate ?? {};
    if (approved !== undefined && !(approved !== null && commit.startsWith(approved)))
      this.violate("gate violations", facts, `${commit} was promoted without an approval`);
    if (endedAt - verified.from < soakMs)
      this.violate("gate violations", facts, `${commit} was promoted before the end of its soak`);
    if (hasWindow && !this.isInWindow(startedAt) && !this.isInWindow(endedAt))
      this.violate("gate violations", facts, `${commit} was promoted outside the window`);
  }

  /** Requires that the environment serves what may be promoted. */
  private requirePromoted(facts: Judged): void {
    const { place, gate, upstream, startedAt, after, failure } = facts;
    const verified = this.verified[place - 1]!;
    const { approved, soakMs = 0, hasWindow = false } = gate ?? {};
    const wanted = [...verified].filter(([commit]) =>
      approved === undefined ? commit === upstream?.commit : approved !== null && commit.startsWith(approved),
    );
    const [only, another] = wanted;
    if (!only || another || this.isForeign(upstream)) return;
    const [commit, { to }] = only;
    if (startedAt - to < soakMs || (hasWindow && !this.isInWindow(startedAt))) return;
    if (after[0]?.commit !== commit)
      this.violate(
        "missing promotions",
        facts,
        `${commit} may be promoted, but ${after[0]?.commit} is serving (${String(failure)})`,
      );
  }

  private violate(what: keyof Violations, { place, gate }: Judged, reason: string): never {
    this.figures[what] += 1;
    throw new Error(`Environment ${place + 1} with gate ${JSON.stringify(gate)}: ${reason}.`);
  }
}
