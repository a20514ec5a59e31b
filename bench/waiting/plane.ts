import type { Clock } from "../../provider/clock";
import type { ControlPlaneClient } from "../../provider/control-plane/client";
import { dialectOf } from "../../provider/control-plane/dialects";
import type { KnownRollouts } from "../../provider/control-plane/polling/known-rollouts";
import { RolloutPolling } from "../../provider/control-plane/polling/rollout-polling";
import { settle } from "../../provider/deployment/rollout/settle";
import { StatusLine } from "../../provider/resource/status-line";
import type { DeploymentRecord, RevisionRecord } from "../../wire";

/** Duration and result of a rollout. */
export interface Rollout {
  ms: number;
  fails: boolean;
}

/** Cost of waiting for a rollout. */
export interface Waited {
  requests: number;
  lagMs: number;
}

/** Earlier rollouts that a wait can use to predict the duration. */
export interface Before {
  rollouts: readonly Rollout[];
  /** True if the rollouts belong to this deployment; otherwise, they are first rollouts of other deployments. */
  isOwn: boolean;
  /** True if this process has observed the rollouts, including the time at which each one started to deploy. */
  isSeen?: boolean;
}

/** Fraction of a successful rollout's duration that the build takes. */
const buildShare = 0.7;

/** Control plane in simulated time. It counts the requests that it receives. */
export class Plane {
  requests = 0;
  readonly polling: RolloutPolling;
  private readonly rollouts = new Map<string, Rollout & { startedAt: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly before: Before = { rollouts: [], isOwn: true },
    isLocal = false,
  ) {
    this.polling = new RolloutPolling(
      clock,
      () => this.client,
      isLocal,
      () => 0,
    );
    if (before.isSeen) this.remember(this.polling.known);
  }

  /** Starts a rollout, and waits for it in the same way as the provider. */
  async follow(deploymentId: string, rollout: Rollout): Promise<Waited> {
    const startedAt = this.clock.now();
    this.rollouts.set(deploymentId, { ...rollout, startedAt });
    const before = this.requests;
    await settle({
      plane: { client: this.client, dialect: dialectOf("langsmith"), polling: this.polling },
      time: {
        clock: this.clock,
        deadline: { at: startedAt + 24 * 3_600_000, totalMs: 24 * 3_600_000, setBy: "rollout.timeout" },
      },
      report: { status: new StatusLine(() => {}, this.clock, "Ctrl-C") },
      deploymentId,
      deployments: () =>
        Promise.resolve(
          (this.before.rollouts.length > 0 ? ["one", "two", "three", "four"] : []).map((id) => ({ id })),
        ),
      isFirst: !this.before.isOwn,
      isGone: () => Promise.resolve(false),
      revisionId: "new",
    });
    return { requests: this.requests - before, lagMs: this.clock.now() - startedAt - rollout.ms };
  }

  private get client(): ControlPlaneClient {
    const get = (deploymentId: string) => Promise.resolve(this.poll(deploymentId));
    const list = () => Promise.resolve(this.past());
    const pages = () => this.pages();
    return { revisions: { get, list }, deployments: { pages } } as unknown as ControlPlaneClient;
  }

  private poll(deploymentId: string): RevisionRecord {
    this.requests += 1;
    const { startedAt, ms, fails } = this.rollouts.get(deploymentId)!;
    const passed = this.clock.now() - startedAt;
    const ending = fails ? "BUILD_FAILED" : "DEPLOYED";
    const status = passed >= ms ? ending : passed < ms * buildShare ? "BUILDING" : "DEPLOYING";
    return { id: "new", status, created_at: new Date(startedAt).toISOString() };
  }

  private past(): RevisionRecord[] {
    this.requests += 1;
    return this.before.rollouts.map(({ ms, fails }, index) => {
      const startedAt = -(index + 1) * 86_400_000;
      return {
        id: `r${index}`,
        status: fails ? "BUILD_FAILED" : "DEPLOYED",
        created_at: new Date(startedAt).toISOString(),
        updated_at: new Date(startedAt + ms).toISOString(),
      };
    });
  }

  private remember(known: KnownRollouts): void {
    for (const { ms, fails } of this.before.rollouts)
      if (!fails)
        known.add({
          deploymentId: "d",
          isFirst: false,
          ms,
          phases: [{ status: "DEPLOYING", afterMs: ms * buildShare }],
        });
  }

  private async *pages(): AsyncGenerator<DeploymentRecord[]> {
    const rows = [...this.rollouts].map(([id, { startedAt, ms, fails }]): DeploymentRecord => {
      const isActive = !fails && this.clock.now() - startedAt >= ms;
      return { id, latest_revision_id: "new", active_revision_id: isActive ? "new" : "old" };
    });
    for (let from = 0; from < rows.length; from += 100) {
      this.requests += 1;
      yield await Promise.resolve(rows.slice(from, from + 100));
    }
  }
}
