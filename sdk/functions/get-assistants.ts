import * as pulumi from "@pulumi/pulumi";
import type { ServerArgs } from "../agent-server/server-args";
import { placeOf, placeOutput } from "./server-place";
import type { LookUpServer } from "./look-up-server";
import { lookUps } from "./look-ups";
import type { GetAssistantResult } from "./assistant-result";
import { describeAssistant } from "./described-assistant";

/** What assistants of a list have in common; what is left out does not matter. */
export interface GetAssistantsFilters {
  /** The graph that they run. */
  graph?: string;
  /** Part of the name. */
  nameContains?: string;
  /** Names and values that their metadata has. */
  metadata?: Record<string, unknown>;
}

/** Which assistants to list. */
export type GetAssistantsArgs = LookUpServer & {
  /** What they have in common; without any, all of the agent server, with the one of each graph. */
  filters?: GetAssistantsFilters;
};

/** Lists assistants, the oldest first (`POST /assistants/search`, all pages). */
export async function getAssistants(args: GetAssistantsArgs): Promise<GetAssistantResult[]> {
  const { graph, nameContains, metadata } = args.filters ?? {};
  const filter = {
    ...(graph !== undefined && { graph_id: graph }),
    ...(nameContains !== undefined && { name: nameContains }),
    ...(metadata !== undefined && { metadata }),
  };
  const found = await lookUps().assistants(placeOf(args), filter);
  // A server may not know the filter of names, and compares them in any case.
  return found
    .filter(({ name }) => (name ?? "").includes(nameContains ?? ""))
    .filter(({ graph_id: id }) => graph === undefined || id === graph)
    .map(describeAssistant);
}

/** Like `getAssistants`, for arguments that are known only later. */
export function getAssistantsOutput(
  args: ServerArgs & {
    filters?: { [Filter in keyof GetAssistantsFilters]: pulumi.Input<GetAssistantsFilters[Filter]> };
  },
): pulumi.Output<GetAssistantResult[]> {
  return pulumi
    .all([placeOutput(args), pulumi.output(args.filters)])
    .apply(([server, filters]) => getAssistants({ ...server, filters }));
}
