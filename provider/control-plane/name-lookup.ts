import type { Clock } from "../clock";
import { answerTo, SharedRequest, type OnRetry, type Send, type Waiting } from "../http/shared-request";
import type { ControlPlaneClient } from "./client";
import type { DeploymentRecord } from "../../wire";

/** Time in milliseconds for which a list of the whole workspace is sufficient proof that a name is free. */
const listMaxAgeMs = 10_000;

/** Number of names that are first looked up individually, because a list of the workspace may have many pages. */
const maxByName = 10;
/** Maximum number of pages of the workspace list. Beyond it, individual lookups are cheaper. */
const maxListPages = 20;

/** Options of a lookup by name. */
export interface LookUpOptions extends Waiting {
  /** True if the result must be current. */
  isFresh: boolean;
}

/** Returns a client for one caller. The client calls `onRetry` before it retries a request. */
export type ClientWith = (onRetry: OnRetry) => ControlPlaneClient;

/** The deployments that were found; `undefined` if the workspace has too many to list. */
type List = SharedRequest<DeploymentRecord[] | undefined>;

/**
 * Finds deployments by name, for all resources of a session. The first names are looked up individually. After several
 * names, or if the server ignores the filter, the whole workspace is listed instead. Lookups within a few seconds share
 * one list, regardless of how many resources a program has.
 */
export class NameLookup {
  /** The last list of the whole workspace; `list` is missing if the last request failed. */
  private whole?: { list?: List; at: number };
  private ignoresFilters = false;
  /** The first lookup, which reveals whether the server filters by name. */
  private first?: List;
  private asked = 0;
  private isTooLong = false;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /**
   * Returns the deployments with exactly this name, from all pages of `GET /v2/deployments`. There can be several,
   * because a deleted deployment stays listed until its resources are removed.
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
      // A result that is a few seconds old is used only if it shows that the name is free. If the name is no longer
      // free, the create is rejected.
      if (found?.length === 0) return found;
      isTaken = found !== undefined;
    }
    if (this.asked > maxByName && !this.isTooLong && !options.isFresh && !isTaken) {
      const all = await this.started(this.wholeList(clientWith), at).get(options);
      if (all) return withName(all, name);
    }
    const list = this.listSimilar(clientWith, name, at);
    this.first ??= list;
    if (this.ignoresFilters) this.started(list, at);
    return withName((await list.get(options)) ?? [], name);
  }

  /** Shares a list request in progress with later callers. */
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
        if (pages > maxListPages) {
          this.isTooLong = true;
          this.whole = undefined;
          return undefined;
        }
      }
      return found.filter(({ is_preview: isPreview }) => !isPreview);
    });
  }

  private listSimilar(clientWith: ClientWith, name: string, at: number): List {
    const list: List = this.shared(async (onRetry, signal) => {
      const found = await clientWith(onRetry).deployments.list(signal, { name_contains: name });
      if (!found.every((record) => isSimilar(record, name))) {
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
          // The next caller must not share the little time that this one had left.
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

/** True if a server that filters by this string would return the record. */
function isSimilar(record: DeploymentRecord, name: string): boolean {
  return record.name?.toLowerCase().includes(name.toLowerCase()) ?? false;
}
