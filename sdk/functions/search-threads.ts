import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import type { ServerArgs } from "../agent-server/server-args";
import { type LookUpServer, serverOf, serverOutput } from "./lookup-server";
import { run } from "./run";

/** Filters for threads. Omitted filters match everything. */
export interface SearchThreadsFilters {
  /** Metadata entries that the threads must have. */
  metadata?: Record<string, unknown>;
  /** Values that the state of the threads must have. */
  values?: Record<string, unknown>;
  /** Status of the threads. */
  status?: "idle" | "busy" | "interrupted" | "error";
}

/** Arguments of `searchThreads`. */
export type SearchThreadsArgs = LookUpServer & {
  /** Filters. By default, all threads match. */
  filters?: SearchThreadsFilters;
  /** Maximum number of threads, counted from the newest. @default 100 */
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
  /** Time at which it was created. */
  createdAt?: string;
  /** Time of its last change. */
  updatedAt?: string;
}

/** Searches for threads, newest first (`POST /threads/search`, pages up to `limit`). */
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
