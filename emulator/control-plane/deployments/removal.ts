import type { Clock } from "../../clock";
import { Background } from "../background";
import type { Folders } from "../folders";
import { refuse } from "../refusal";
import type { Supervisor } from "../rollouts/supervisor";
import type { StoredDeployment } from "../store/deployments";
import type { Store } from "../store/store";
import type { Traps } from "../quirks/quirks";
import type { Catalogue } from "./catalogue";

/** Dependencies of the removal of deployments. */
export interface RemovalParts {
  store: Store;
  catalogue: Catalogue;
  supervisor: Supervisor;
  folders: Folders;
  clock: Clock;
  traps: Traps;
  complain: (error: unknown) => void;
}

/** Options of a delete. */
export interface RemovalWish {
  /** Immediately removes the record of a deployment that is being deleted. */
  force?: boolean;
  deleteTracingProject?: boolean;
}

/** Result of a bulk delete. */
export interface RemovedTogether {
  deleted: string[];
  missing: string[];
}

/** Error for a folder of the state that belongs to no deployment, for example after a database was replaced. */
class UnknownFolder extends Error {
  override readonly name = "UnknownFolder";

  constructor(folder: string) {
    super(
      `${folder} belongs to no deployment of this control plane's database. It is kept: restore the database that ` +
        "knows it, or remove the folder if nobody needs what it holds.",
    );
  }
}

/**
 * Deletes deployments in stages: first the running processes, with status AWAITING_DELETE; then everything but the
 * record, with status AWAITING_FINAL_DELETE; then the record, which reserves the name until then.
 */
export class Removal {
  /** Seconds for which deleted deployments stay readable as AWAITING_DELETE. */
  lingerSeconds = 0;
  /** Seconds for which they then stay readable as AWAITING_FINAL_DELETE. */
  finalLingerSeconds = 0;
  readonly #waiting = new Map<string, () => void>();
  readonly #background: Background;

  constructor(private readonly parts: RemovalParts) {
    this.#background = new Background((error) => parts.complain(error));
  }

  /** Marks the deployment as being deleted and stops it; resolves when none of its processes is running. */
  async remove(tenantId: string, id: string, wish: RemovalWish = {}): Promise<void> {
    const { store, catalogue, clock, traps } = this.parts;
    const deployment = catalogue.deployment(tenantId, id);
    if (wish.force) return this.#forceAway(deployment);
    if (deployment.goneAt !== null) throw refuse.noDeployment(id);
    const finalAt = clock.now() + this.lingerSeconds * 1000;
    const goneAt = finalAt + this.finalLingerSeconds * 1000;
    store.transaction(() => {
      store.deployments.update({ ...deployment, status: "AWAITING_DELETE", finalAt, goneAt });
      if (wish.deleteTracingProject) store.tracingProjects.remove(tenantId, deployment.name);
      else if (traps.orphanedTracingProjects) store.tracingProjects.keep(tenantId, deployment.name);
    });
    const work = this.#tearDown({ ...deployment, finalAt, goneAt });
    this.#background.add(work);
    await work;
  }

  /** Removes those of the deployments that exist. */
  async removeAll(tenantId: string, ids: readonly string[]): Promise<RemovedTogether> {
    const { store } = this.parts;
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
    const { store, folders, complain } = this.parts;
    const all = store.deployments.all();
    this.#background.add(folders.finishRemovals());
    for (const folder of folders.unknown(all.map(({ id }) => id))) complain(new UnknownFolder(folder));
    for (const deployment of all)
      if (deployment.goneAt !== null) this.#background.add(this.#tearDown(deployment));
  }

  /** Finishes running deletions and cancels scheduled ones. */
  async close(): Promise<void> {
    await this.#background.over();
    for (const takeBack of this.#waiting.values()) takeBack();
    this.#waiting.clear();
  }

  async #forceAway({ id, goneAt }: StoredDeployment): Promise<void> {
    if (goneAt === null) throw refuse.notDeletedYet(id);
    await this.parts.supervisor.stop(id);
    this.#waiting.get(id)?.();
    await this.#forget(id);
  }

  async #tearDown(deployment: Pick<StoredDeployment, "id" | "finalAt" | "goneAt">): Promise<void> {
    const { id, finalAt, goneAt } = deployment;
    await this.parts.supervisor.stop(id);
    await this.#at(id, finalAt ?? goneAt!, async () => {
      if (goneAt! > this.parts.clock.now()) this.#markFinal(id);
      await this.#at(id, goneAt!, () => this.#forget(id));
    });
  }

  /** Continues at that time; resolves immediately if it is in the future. */
  async #at(id: string, moment: number, next: () => Promise<void>): Promise<void> {
    const remaining = moment - this.parts.clock.now();
    if (remaining <= 0) return next();
    this.#waiting.set(
      id,
      this.parts.clock.after(remaining, () => this.#background.add(next())),
    );
  }

  #markFinal(id: string): void {
    const { store } = this.parts;
    void store.eventually(() => {
      const deployment = store.deployments.find(id);
      if (deployment) store.deployments.update({ ...deployment, status: "AWAITING_FINAL_DELETE" });
    });
  }

  /** Removes the rest of a deployment; a record that cannot be removed now is removed as soon as possible. */
  async #forget(id: string): Promise<void> {
    const { store, folders, complain } = this.parts;
    this.#waiting.delete(id);
    // Started before the record is removed: if this is interrupted, the next start sees that the folder is to be
    // removed.
    const removed = folders.remove(id).catch((error: unknown) => complain(error));
    void store.eventually(() => store.deployments.remove(id));
    await removed;
  }
}
