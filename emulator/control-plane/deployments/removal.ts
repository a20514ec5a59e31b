import type { Clock } from "../../clock";
import { Background } from "../background";
import type { Folders } from "../folders";
import { refuse } from "../refusal";
import type { Supervisor } from "../rollouts/supervisor";
import type { Store } from "../store/store";
import type { Catalogue } from "./catalogue";

/** What the removal of deployments works with. */
export interface RemovalParts {
  store: Store;
  catalogue: Catalogue;
  supervisor: Supervisor;
  folders: Folders;
  clock: Clock;
  complain(error: unknown): void;
}

/** Deletes deployments: first what runs, then, at once or later, the record that holds the name. */
export class Removal {
  /** How long deleted deployments stay readable as AWAITING_DELETE, with their name taken. */
  lingerSeconds = 0;
  readonly #waiting = new Map<string, () => void>();
  readonly #background: Background;

  constructor(private readonly parts: RemovalParts) {
    this.#background = new Background((error) => parts.complain(error));
  }

  /** Marks the deployment as being deleted and tears it down; resolves when nothing of it runs any more. */
  async remove(tenantId: string, id: string): Promise<void> {
    const { store, catalogue, clock } = this.parts;
    const goneAt = clock.now() + this.lingerSeconds * 1000;
    store.transaction(() => {
      const deployment = catalogue.deployment(tenantId, id);
      if (deployment.goneAt !== null) throw refuse.noDeployment(id);
      store.deployments.update({ ...deployment, status: "AWAITING_DELETE", goneAt });
    });
    const work = this.#tearDown(id, goneAt);
    this.#background.add(work);
    await work;
  }

  /** Goes on with what an earlier process left half deleted. */
  resume(): void {
    const { store, folders } = this.parts;
    const all = store.deployments.all();
    this.#background.add(folders.keepDeployments(all.map(({ id }) => id)));
    for (const { id, goneAt } of all) if (goneAt !== null) this.#background.add(this.#tearDown(id, goneAt));
  }

  /** Finishes what is under way and takes back what is still to come. */
  async close(): Promise<void> {
    await this.#background.over();
    for (const takeBack of this.#waiting.values()) takeBack();
    this.#waiting.clear();
  }

  async #tearDown(id: string, goneAt: number): Promise<void> {
    await this.parts.supervisor.stop(id);
    const remaining = goneAt - this.parts.clock.now();
    if (remaining <= 0) return this.#forget(id);
    const forget = (): void => this.#background.add(this.#forget(id));
    this.#waiting.set(id, this.parts.clock.after(remaining, forget));
  }

  async #forget(id: string): Promise<void> {
    this.#waiting.delete(id);
    this.parts.store.deployments.remove(id);
    // What is left of the folder, if this is cut off, goes with the next start.
    await this.parts.folders.remove(id);
  }
}
