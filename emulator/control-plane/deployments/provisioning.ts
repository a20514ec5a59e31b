import type { Clock } from "../../clock";
import type { Supervisor } from "../rollouts/supervisor";
import type { StoredDeployment } from "../store/deployments";
import type { Store } from "../store/store";
import type { Quirks } from "../quirks/quirks";

export interface ProvisioningDeps {
  store: Store;
  supervisor: Supervisor;
  clock: Clock;
  quirks: Quirks;
  /** Called with internal errors of the control plane. */
  reportError: (error: unknown) => void;
}

/** Databases of new deployments. The first rollout of a deployment waits until its database is ready. */
export class Provisioning {
  readonly #waiting = new Set<() => void>();

  constructor(private readonly deps: ProvisioningDeps) {}

  /** Returns the time when the database of a new deployment will be ready, or null if it is ready immediately. */
  databaseAt(): number | null {
    const { clock, quirks } = this.deps;
    return quirks.databaseSeconds > 0 ? clock.now() + quirks.databaseSeconds * 1000 : null;
  }

  /** Marks the deployment as ready when its database is ready. */
  watch({ id, databaseAt }: StoredDeployment): void {
    if (databaseAt === null) return;
    const takeBack = this.deps.clock.after(databaseAt - this.deps.clock.now(), () => {
      this.#waiting.delete(takeBack);
      this.#ready(id).catch((error: unknown) => this.deps.reportError(error));
    });
    this.#waiting.add(takeBack);
  }

  /** Waits for the databases that were not ready when an earlier process exited. */
  resume(): void {
    for (const deployment of this.deps.store.deployments.all()) this.watch(deployment);
  }

  close(): void {
    for (const takeBack of this.#waiting) takeBack();
    this.#waiting.clear();
  }

  async #ready(id: string): Promise<void> {
    const { store, supervisor } = this.deps;
    const made = await store.eventually(() => {
      const deployment = store.deployments.find(id);
      if (deployment?.goneAt === null)
        store.deployments.update({ ...deployment, status: "READY", databaseAt: null });
    });
    if (made && store.deployments.find(id)?.goneAt === null) supervisor.wake(id);
  }
}
