import * as pulumi from "@pulumi/pulumi";
import type { ServerArgs } from "../agent-server/server-args";
import { placeOf, placeOutput } from "./server-place";
import type { LookUpServer } from "./look-up-server";
import { lookUps } from "./look-ups";

/** What threads have in common; what is left out does not matter. */
export interface SearchThreadsFilters {
  /** Names and values that their metadata has. */
  metadata?: Record<string, unknown>;
  /** Names and values that their state has. */
  values?: Record<string, unknown>;
  status?: "idle" | "busy" | "interrupted" | "error";
}

/** Which threads to look for. */
export type SearchThreadsArgs = LookUpServer & {
  filters?: SearchThreadsFilters;
  /** Most threads, the newest first. @default 100 */
  limit?: number;
};

/** A thread, without what was said in it. */
export interface SearchThreadsResult {
  threadId: string;
  status?: string;
  metadata?: Record<string, unknown>;
  createdAt?: string;
  updatedAt?: string;
}

const defaultLimit = 100;

/** Looks for threads, the newest first (`POST /threads/search`, pages up to `limit`). */
export async function searchThreads(args: SearchThreadsArgs): Promise<SearchThreadsResult[]> {
  const { filters = {}, limit = defaultLimit } = args;
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new Error(`searchThreads: limit must be a whole number from 1, and is ${limit}.`);
  const found = await lookUps().threads(placeOf(args), { ...filters }, limit);
  return found.map((thread) => ({
    threadId: thread.thread_id,
    status: thread.status ?? undefined,
    metadata: thread.metadata ?? undefined,
    createdAt: thread.created_at ?? undefined,
    updatedAt: thread.updated_at ?? undefined,
  }));
}

/** Like `searchThreads`, for arguments that are known only later. */
export function searchThreadsOutput(
  args: ServerArgs & {
    filters?: { [Filter in keyof SearchThreadsFilters]: pulumi.Input<SearchThreadsFilters[Filter]> };
    limit?: pulumi.Input<number>;
  },
): pulumi.Output<SearchThreadsResult[]> {
  return pulumi
    .all([placeOutput(args), pulumi.output({ filters: args.filters, limit: args.limit })])
    .apply(([server, wanted]) => searchThreads({ ...server, ...wanted }));
}
