import { AgentServerError } from "../errors";
import type { AgentServerClient } from "./client";

/** A resource on an agent server, as described in messages. */
interface ContentsResource {
  kind: "assistant" | "cron";
  id: string;
  /** Name of an assistant, or schedule of a cron. */
  name?: string;
}

/** Names of the resources on an agent server. */
export interface ContentsNames {
  /** Crons and assistants, except for assistants that the server created itself. */
  held: ContentsResource[];
  /** First labels of the store's namespaces, at most 100. */
  namespaces?: string[];
}

const maxNamespaces = 100;

/** Returns the names of the resources on an agent server. Omits types of resources that the server fails to list. */
export async function listContents(
  agentServer: AgentServerClient,
  signal: AbortSignal,
): Promise<ContentsNames> {
  const [assistants, crons, namespaces] = await Promise.all([
    agentServer.assistants.search({}, signal).catch(unlessCancelled),
    agentServer.crons.search({}, signal).catch(unlessCancelled),
    agentServer.store.rootLabels(maxNamespaces, signal).catch(unlessCancelled),
  ]);
  const made = assistants?.filter(({ metadata }) => metadata?.["created_by"] !== "system");
  return {
    held: [
      ...(made ?? []).map(({ assistant_id: id, name }) => resource("assistant", id, name)),
      ...(crons ?? []).map(({ cron_id: id, schedule }) => resource("cron", id, schedule)),
    ],
    ...(namespaces && { namespaces }),
  };
}

function resource(
  kind: ContentsResource["kind"],
  id: string,
  name: string | null | undefined,
): ContentsResource {
  return { kind, id, ...(name && { name }) };
}

function unlessCancelled(error: unknown): undefined {
  if (!AgentServerError.is(error)) throw error;
}
