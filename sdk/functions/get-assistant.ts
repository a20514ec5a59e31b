import * as pulumi from "@pulumi/pulumi";
import type { AssistantRecord } from "../../provider/agent-server/wire";
import type { ServerArgs } from "../agent-server/server-args";
import { agentServer, serverOutput, type LookUpServer } from "./agent-server";
import { lookUp } from "./control-plane";

/** Which assistant to look up. */
export type GetAssistantArgs = LookUpServer &
  (
    | {
        /** Its id. */
        assistantId: string;
        name?: undefined;
      }
    | {
        assistantId?: undefined;
        /** Its whole name, which only one assistant may have. */
        name: string;
      }
  );

/** An assistant as the version has it that is used. */
export interface GetAssistantResult {
  assistantId: string;
  /** The graph that it runs. */
  graph: string;
  name?: string;
  description?: string;
  /** How runs are configured: `tags`, `recursion_limit` and `configurable`, as the server has them. */
  config?: Record<string, unknown>;
  context?: Record<string, unknown>;
  /** With the ownership tag, if a Pulumi resource owns it. */
  metadata?: Record<string, unknown>;
  version?: number;
}

/**
 * Looks up an assistant (`GET /assistants/{assistant_id}`, or `POST /assistants/search` for a name). Fails when there is
 * none, or when several have the name.
 */
export async function getAssistant(args: GetAssistantArgs): Promise<GetAssistantResult> {
  const { assistantId, name } = args;
  if ((assistantId === undefined) === (name === undefined))
    throw new Error("getAssistant needs an assistantId or a name, and only one of them.");
  return describeAssistant(await lookUp().lookUpAssistant(agentServer(args), { assistantId, name }));
}

/** Like `getAssistant`, for arguments that are known only later. */
export function getAssistantOutput(
  args: ServerArgs & { assistantId?: pulumi.Input<string>; name?: pulumi.Input<string> },
): pulumi.Output<GetAssistantResult> {
  const { assistantId, name } = args;
  return pulumi
    .all([serverOutput(args), pulumi.output({ assistantId, name })])
    .apply(([server, wanted]) => getAssistant({ ...server, ...wanted } as GetAssistantArgs));
}

/** An assistant in the words of users. */
export function describeAssistant(record: AssistantRecord): GetAssistantResult {
  return {
    assistantId: record.assistant_id,
    graph: record.graph_id,
    name: record.name ?? undefined,
    description: record.description ?? undefined,
    config: record.config ?? undefined,
    context: record.context ?? undefined,
    metadata: record.metadata ?? undefined,
    version: record.version ?? undefined,
  };
}
