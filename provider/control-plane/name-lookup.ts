import type { Clock } from "../clock";
import { answerTo, SharedRequest, type OnRetry, type Waiting } from "../http/shared-request";
import type { ControlPlaneClient } from "./client";
import type { DeploymentRecord } from "../../wire";

/** How long a list of the whole workspace shows that a name is free, in milliseconds. */
const listMaxAgeMs = 10_000;

/** Names that are asked for one by one: a list of the workspace may have many pages. */
const mostByName = 10;

/** How a name is looked up. */
export interface LookUpOptions extends Waiting {
  /** Whether the answer must be of now. */
  isFresh: boolean;
}

/** The client of whoever looks a name up, which calls this before a request is sent again. */
export type ClientWith = (onRetry: OnRetry) => ControlPlaneClient;

type List = SharedRequest<DeploymentRecord[]>;

/**
 * Finds deployments by their names, for all resources of a session. The first names are asked for one by one. After some
 * of them, and at a server that answers the whole workspace to each, the workspace is listed instead: once for all that ask
 * within some seconds, however many resources a program has.
 */
export class NameLookup {
  /** The last list of the whole workspace; without a list after one that failed. */
  private whole?: { list?: List; at: number };
  private ignoresFilters = false;
  /** The first look-up: its answer shows whether the server filters. */
  private first?: List;
  private asked = 0;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /**
   * The deployments with exactly this name, over all pages of `GET /v2/deployments`. Several are possible: a deleted one
   * stays listed while it is taken apart.
   */
  async find(clientWith: ClientWith, name: string, options: LookUpOptions): Promise<DeploymentRecord[]> {
    this.asked += 1;
    if (this.first) await answerTo(this.first, options);
    const { whole } = this;
    const at = this.clock.now();
    let isTaken = false;
    if (whole?.list && !options.isFresh && at - whole.at < listMaxAgeMs) {
      const known = await answerTo(whole.list, options);
      const found = known && withName(known, name);
      // Only that a name is free may be some seconds old: if it is not, the create is refused.
      if (found?.length === 0) return found;
      isTaken = found !== undefined;
    }
    const listsAll = this.asked > mostByName && !options.isFresh && !isTaken;
    const list = this.list(clientWith, listsAll ? undefined : name, at);
    this.first ??= list;
    // Whoever asks while this is under way needs no list of their own.
    if (listsAll || this.ignoresFilters) this.whole = { list, at };
    return withName(await list.get(options), name);
  }

  /** @param name what the names of the listed ones contain; all are listed without it */
  private list(clientWith: ClientWith, name: string | undefined, at: number): List {
    const list: List = new SharedRequest(
      async (onRetry, signal) => {
        try {
          const filter = name === undefined ? {} : { name_contains: name };
          const found = await clientWith(onRetry).deployments.list(signal, filter);
          if (name !== undefined && !found.every((record) => isAlike(record, name))) {
            this.ignoresFilters = true;
            this.whole ??= { list, at };
          }
          return found;
        } catch (error) {
          // Nobody else is to ask again with what this one has left.
          if (this.first === list) this.first = undefined;
          if (this.whole?.list === list) this.whole = { at: Number.NEGATIVE_INFINITY };
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
