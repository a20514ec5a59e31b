import type { Clock } from "../clock";
import type { ControlPlaneClient } from "./client";
import type { DeploymentRecord } from "./wire";

/** How long a list of the whole workspace shows that a name is free, in milliseconds. */
const listMaxAgeMs = 10_000;

/**
 * Finds deployments by their names, for all resources of a session. A server that filters its list is asked for each
 * name; one that answers the whole workspace instead is not asked for that again with every resource.
 */
export class NameLookup {
  /** The last answer of a server that does not filter. */
  private all?: { records: Promise<DeploymentRecord[]>; at: number };
  /** The first look-up: its answer shows whether the server filters. */
  private first?: Promise<unknown>;

  constructor(private readonly clock: Clock) {}

  /**
   * The deployments with exactly this name, over all pages of `GET /v2/deployments`. Several are possible: a deleted one
   * stays listed while it is taken apart.
   * @param isFresh whether the answer must be of now
   */
  async find(
    client: ControlPlaneClient,
    name: string,
    options: { isFresh: boolean; signal?: AbortSignal },
  ): Promise<DeploymentRecord[]> {
    if (this.first) await this.first.catch(() => undefined);
    const found = this.lookUp(client, name, options);
    this.first ??= found;
    return found;
  }

  private async lookUp(
    client: ControlPlaneClient,
    name: string,
    { isFresh, signal }: { isFresh: boolean; signal?: AbortSignal },
  ): Promise<DeploymentRecord[]> {
    const { all } = this;
    const at = this.clock.now();
    if (all && !isFresh && at - all.at < listMaxAgeMs) {
      const found = withName(await all.records, name);
      // Only that a name is free may be some seconds old: if it is not, the create is refused.
      if (found.length === 0) return found;
    }
    const records = client.listDeployments(signal, { name_contains: name });
    // Whoever asks while this is under way needs no list of their own.
    if (all) this.keep(records, at);
    const found = await records;
    if (!all && !found.every((record) => isAlike(record, name))) this.keep(records, at);
    return withName(found, name);
  }

  private keep(records: Promise<DeploymentRecord[]>, at: number): void {
    const kept = { records, at };
    this.all = kept;
    records.catch(() => {
      if (this.all === kept) this.all = { records: Promise.resolve([]), at: Number.NEGATIVE_INFINITY };
    });
  }
}

function withName(records: DeploymentRecord[], name: string): DeploymentRecord[] {
  return records.filter((record) => record.name === name);
}

/** Whether a server that filters by that text would answer this one. */
function isAlike(record: DeploymentRecord, name: string): boolean {
  return record.name?.toLowerCase().includes(name.toLowerCase()) ?? false;
}
