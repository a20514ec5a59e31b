import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import type { ServerArgs } from "../agent-server/server-args";
import { type LookUpServer, serverOf, serverOutput } from "./lookup-server";
import { run } from "./run";
import type { GetAssistantResult } from "./results";

/** Filters for assistants. An omitted filter matches everything. */
export interface GetAssistantsFilters {
  /** Graph that the assistants run. */
  graph?: string;
  /** Substring of the name. */
  nameContains?: string;
  /** Metadata entries that an assistant must have. */
  metadata?: Record<string, unknown>;
}

/** Arguments of `getAssistants`. */
export type GetAssistantsArgs = LookUpServer & {
  /** Filters. By default, lists all assistants of the agent server, including the default assistant of each graph. */
  filters?: GetAssistantsFilters;
};

/** Lists assistants, oldest first (`POST /assistants/search`, all pages). */
export async function getAssistants(args: GetAssistantsArgs): Promise<GetAssistantResult[]> {
  const { filters } = args;
  return (await run("getAssistants", { ...serverOf(args), filters })).assistants;
}

/** Output version of `getAssistants`. */
export function getAssistantsOutput(
  args: ServerArgs & {
    filters?: { [Filter in keyof GetAssistantsFilters]: pulumi.Input<GetAssistantsFilters[Filter]> };
  },
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAssistantResult[]> {
  const resolved = pulumi.all([serverOutput(args), pulumi.output(args.filters)]);
  return afterDependencies(resolved, options).apply(([server, filters]) =>
    getAssistants({ ...server, filters }),
  );
}
