import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import type { ServerArgs } from "../agent-server/server-args";
import { type LookUpServer, serverOf, serverOutput } from "./lookup-server";
import { run } from "./run";

/** Filters for threads. An omitted filter matches everything. */
export interface SearchThreadsFilters {
  /** Metadata entries that a thread must have. */
  metadata?: Record<string, unknown>;
  /** Values that the state of a thread must have. */
  values?: Record<string, unknown>;
  /** Status of a thread. */
  status?: "idle" | "busy" | "interrupted" | "error";
}

/** Arguments of `searchThreads`. */
export type SearchThreadsArgs = LookUpServer & {
  /** Filters. By default, all threads match. */
  filters?: SearchThreadsFilters;
  /** Maximum number of threads to return, starting with the newest. @default 100 */
  limit?: number;
};

/** Thread, without its messages. */
export interface SearchThreadsResult {
  /** ID of the thread. */
  threadId: string;
  /** Status, for example `idle`. */
  status?: string;
  /** Custom metadata. */
  metadata?: Record<string, unknown>;
  /** Time at which the thread was created. */
  createdAt?: string;
  /** Time of the last change to the thread. */
  updatedAt?: string;
}

/** Searches for threads, newest first (`POST /threads/search`, as many pages as `limit` requires). */
export async function searchThreads(args: SearchThreadsArgs): Promise<SearchThreadsResult[]> {
  const { filters, limit } = args;
  return (await run("searchThreads", { ...serverOf(args), filters, limit })).threads;
}

/** Output version of `searchThreads`. */
export function searchThreadsOutput(
  args: ServerArgs & {
    filters?: { [Filter in keyof SearchThreadsFilters]: pulumi.Input<SearchThreadsFilters[Filter]> };
    limit?: pulumi.Input<number>;
  },
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<SearchThreadsResult[]> {
  const resolved = pulumi.all([
    serverOutput(args),
    pulumi.output({ filters: args.filters, limit: args.limit }),
  ]);
  return afterDependencies(resolved, options).apply(([server, query]) =>
    searchThreads({ ...server, ...query }),
  );
}
