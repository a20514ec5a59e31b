import type { Clock } from "../clock";
import { answerTo, SharedRequest, type OnRetry, type Waiting } from "../http/shared-request";
import type { ControlPlaneClient } from "./client";
import type { DeploymentRecord } from "../../wire";

/** How long a list of the whole workspace shows that a name is free, in milliseconds. */
const listMaxAgeMs = 10_000;

/** How a name is looked up. */
export interface LookUpOptions extends Waiting {
  /** Whether the answer must be of now. */
  isFresh: boolean;
}

/** The client of whoever looks a name up, which calls this before a request is sent again. */
export type ClientWith = (onRetry: OnRetry) => ControlPlaneClient;

type List = SharedRequest<DeploymentRecord[]>;

/**
 * Finds deployments by their names, for all resources of a session. A server that filters its list is asked for each
 * name; one that answers the whole workspace instead is not asked for that again with every resource.
 */
export class NameLookup {
  /** The last answer of a server that does not filter; without a list after one that failed. */
  private all?: { list?: List; at: number };
  /** The first look-up: its answer shows whether the server filters. */
  private first?: List;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /**
   * The deployments with exactly this name, over all pages of `GET /v2/deployments`. Several are possible: a deleted one
   * stays listed while it is taken apart.
   */
  async find(clientWith: ClientWith, name: string, options: LookUpOptions): Promise<DeploymentRecord[]> {
    if (this.first) await answerTo(this.first, options);
    const { all } = this;
    const at = this.clock.now();
    if (all?.list && !options.isFresh && at - all.at < listMaxAgeMs) {
      const known = await answerTo(all.list, options);
      const found = known && withName(known, name);
      // Only that a name is free may be some seconds old: if it is not, the create is refused.
      if (found?.length === 0) return found;
    }
    const list = this.listAlike(clientWith, name, at);
    this.first ??= list;
    // Whoever asks while this is under way needs no list of their own.
    if (this.all) this.all = { list, at };
    return withName(await list.get(options), name);
  }

  private listAlike(clientWith: ClientWith, name: string, at: number): List {
    const list: List = new SharedRequest(
      async (onRetry, signal) => {
        try {
          const found = await clientWith(onRetry).deployments.list(signal, { name_contains: name });
          if (!this.all && !found.every((record) => isAlike(record, name))) this.all = { list, at };
          return found;
        } catch (error) {
          // Nobody else is to ask again with what this one has left.
          if (this.first === list) this.first = undefined;
          if (this.all?.list === list) this.all = { at: Number.NEGATIVE_INFINITY };
          throw error;
        }
      },
      () => this.clock.now(),
    );
    return list;
  }
}

function withName(records: DeploymentRecord[], name: string): DeploymentRecord[] {
  return records.filter((record) => record.name === name);
}

/** Whether a server that filters by that text would answer this one. */
function isAlike(record: DeploymentRecord, name: string): boolean {
  return record.name?.toLowerCase().includes(name.toLowerCase()) ?? false;
}
