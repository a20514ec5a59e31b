import type { Clock } from "../clock";
import { answerTo, SharedRequest, type OnRetry, type Send, type Waiting } from "../http/shared-request";
import type { ControlPlaneClient } from "./client";
import type { DeploymentRecord } from "../../wire";

/** How long a list of the whole workspace shows that a name is free, in milliseconds. */
const listMaxAgeMs = 10_000;

/** Names that are asked for one by one: a list of the workspace may have many pages. */
const mostByName = 10;
/** Pages of the whole list that are worth less than asking for each name. */
const mostPages = 20;

/** How a name is looked up. */
export interface LookUpOptions extends Waiting {
  /** Whether the answer must be of now. */
  isFresh: boolean;
}

/** The client of whoever looks a name up, which calls this before a request is sent again. */
export type ClientWith = (onRetry: OnRetry) => ControlPlaneClient;

/** The deployments that were found; nothing where the workspace has too many to list. */
type List = SharedRequest<DeploymentRecord[] | undefined>;

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
  private isTooLong = false;

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
    if (this.asked > mostByName && !this.isTooLong && !options.isFresh && !isTaken) {
      const all = await this.started(this.wholeList(clientWith), at).get(options);
      if (all) return withName(all, name);
    }
    const list = this.listAlike(clientWith, name, at);
    this.first ??= list;
    if (this.ignoresFilters) this.started(list, at);
    return withName((await list.get(options)) ?? [], name);
  }

  /** Whoever asks while this is under way needs no list of their own. */
  private started(list: List, at: number): List {
    this.whole = { list, at };
    return list;
  }

  private wholeList(clientWith: ClientWith): List {
    return this.shared(async (onRetry, signal) => {
      const found: DeploymentRecord[] = [];
      let pages = 0;
      for await (const page of clientWith(onRetry).deployments.pages(signal)) {
        found.push(...page);
        pages += 1;
        if (pages > mostPages) {
          this.isTooLong = true;
          this.whole = undefined;
          return undefined;
        }
      }
      return found.filter(({ is_preview: isPreview }) => !isPreview);
    });
  }

  private listAlike(clientWith: ClientWith, name: string, at: number): List {
    const list: List = this.shared(async (onRetry, signal) => {
      const found = await clientWith(onRetry).deployments.list(signal, { name_contains: name });
      if (!found.every((record) => isAlike(record, name))) {
        this.ignoresFilters = true;
        this.whole ??= { list, at };
      }
      return found;
    });
    return list;
  }

  private shared(send: Send<DeploymentRecord[] | undefined>): List {
    const list: List = new SharedRequest(
      "GET /v2/deployments",
      async (onRetry, signal) => {
        try {
          return await send(onRetry, signal);
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
