import type { Clock } from "../../clock";
import { Background } from "../background";
import type { Folders } from "../folders";
import { refuse } from "../refusal";
import type { Supervisor } from "../rollouts/supervisor";
import type { StoredDeployment } from "../store/deployments";
import type { Store } from "../store/store";
import type { Quirks } from "../quirks/quirks";
import type { DeploymentService } from "./service";

export interface RemovalDeps {
  store: Store;
  deploymentService: DeploymentService;
  supervisor: Supervisor;
  folders: Folders;
  clock: Clock;
  quirks: Quirks;
  reportError: (error: unknown) => void;
}

/** Options of a delete request. */
export interface RemovalRequest {
  /** True if the record of a deployment that is already being deleted must be removed immediately. */
  force?: boolean;
  deleteTracingProject?: boolean;
}

/** Result of a bulk delete request. */
export interface RemovedTogether {
  deleted: string[];
  missing: string[];
}

/**
 * Error for a deployment folder that does not belong to any deployment, for example because the database was replaced.
 */
class UnknownFolder extends Error {
  override readonly name = "UnknownFolder";

  constructor(folder: string) {
    super(
      `${folder} does not belong to any deployment in the database of this control plane. It was kept. Restore the database that ` +
        "contains the deployment, or remove the folder if its contents are not needed.",
    );
  }
}

/**
 * Deletes deployments in stages: first the running processes (status AWAITING_DELETE), then everything except the
 * record (status AWAITING_FINAL_DELETE), and finally the record, which reserves the name until then.
 */
export class Removal {
  /** Number of seconds for which deleted deployments remain readable as `AWAITING_DELETE`. */
  lingerSeconds = 0;
  /** Number of seconds for which deleted deployments then remain readable as `AWAITING_FINAL_DELETE`. */
  finalLingerSeconds = 0;
  readonly #waiting = new Map<string, () => void>();
  readonly #background: Background;

  constructor(private readonly deps: RemovalDeps) {
    this.#background = new Background((error) => deps.reportError(error));
  }

  /** Marks the deployment as being deleted and stops it. Resolves when all of its processes have stopped. */
  async remove(tenantId: string, id: string, request: RemovalRequest = {}): Promise<void> {
    const { store, deploymentService, clock, quirks } = this.deps;
    const deployment = deploymentService.deployment(tenantId, id);
    if (request.force) return this.#forceAway(deployment);
    if (deployment.goneAt !== null) throw refuse.noDeployment(id);
    const finalAt = clock.now() + this.lingerSeconds * 1000;
    const goneAt = finalAt + this.finalLingerSeconds * 1000;
    store.transaction(() => {
      store.deployments.update({ ...deployment, status: "AWAITING_DELETE", finalAt, goneAt });
      if (request.deleteTracingProject) store.tracingProjects.remove(tenantId, deployment.name);
      else if (quirks.orphanedTracingProjects) store.tracingProjects.keep(tenantId, deployment.name);
    });
    const work = this.#tearDown({ ...deployment, finalAt, goneAt });
    this.#background.add(work);
    await work;
  }

  /** Deletes the existing deployments among those with the given IDs, and reports the IDs of the others as missing. */
  async removeAll(tenantId: string, ids: readonly string[]): Promise<RemovedTogether> {
    const { store } = this.deps;
    const isThere = (id: string): boolean => {
      const found = store.deployments.find(id);
      return found?.tenantId === tenantId && found.goneAt === null;
    };
    const deleted = [...new Set(ids)].filter(isThere);
    await Promise.all(deleted.map((id) => this.remove(tenantId, id)));
    return { deleted, missing: ids.filter((id) => !deleted.includes(id)) };
  }

  /** Resumes deletions that an earlier process did not finish. */
  resume(): void {
    const { store, folders, reportError } = this.deps;
    const all = store.deployments.all();
    this.#background.add(folders.finishRemovals());
    for (const folder of folders.unknown(all.map(({ id }) => id))) reportError(new UnknownFolder(folder));
    for (const deployment of all)
      if (deployment.goneAt !== null) this.#background.add(this.#tearDown(deployment));
  }

  /** Finishes running deletions, and cancels scheduled ones. */
  async close(): Promise<void> {
    await this.#background.over();
    for (const takeBack of this.#waiting.values()) takeBack();
    this.#waiting.clear();
  }

  async #forceAway({ id, goneAt }: StoredDeployment): Promise<void> {
    if (goneAt === null) throw refuse.notDeletedYet(id);
    await this.deps.supervisor.stop(id);
    this.#waiting.get(id)?.();
    await this.#forget(id);
  }

  async #tearDown(deployment: Pick<StoredDeployment, "id" | "finalAt" | "goneAt">): Promise<void> {
    const { id, finalAt, goneAt } = deployment;
    await this.deps.supervisor.stop(id);
    await this.#at(id, finalAt ?? goneAt!, async () => {
      if (goneAt! > this.deps.clock.now()) this.#markFinal(id);
      await this.#at(id, goneAt!, () => this.#forget(id));
    });
  }

  /**
   * Runs `next` at the given time. Resolves after `next` has finished or, if the time is in the future, immediately.
   */
  async #at(id: string, moment: number, next: () => Promise<void>): Promise<void> {
    const remaining = moment - this.deps.clock.now();
    if (remaining <= 0) return next();
    this.#waiting.set(
      id,
      this.deps.clock.after(remaining, () => this.#background.add(next())),
    );
  }

  #markFinal(id: string): void {
    const { store } = this.deps;
    void store.eventually(() => {
      const deployment = store.deployments.find(id);
      if (deployment) store.deployments.update({ ...deployment, status: "AWAITING_FINAL_DELETE" });
    });
  }

  /**
   * Removes the record and the folder of a deployment. If the record cannot be removed now, removes it as soon as
   * possible.
   */
  async #forget(id: string): Promise<void> {
    const { store, folders, reportError } = this.deps;
    this.#waiting.delete(id);
    // The removal of the folder starts before the record is removed. If it is interrupted, the next start of the
    // control plane detects that the folder must be removed.
    const removed = folders.remove(id).catch((error: unknown) => reportError(error));
    void store.eventually(() => store.deployments.remove(id));
    await removed;
  }
}
