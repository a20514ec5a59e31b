import { AgentServerError } from "../errors";
import type { AgentServerClient } from "./client";

/** One of what an agent server holds, as people know it. */
interface HeldResource {
  kind: "assistant" | "cron";
  id: string;
  /** An assistant's name, a cron's schedule. */
  name?: string;
}

/** What an agent server holds, by name. */
export interface HeldByName {
  /** Assistants that somebody made, and crons. */
  held: HeldResource[];
  /** First parts of the store's namespaces, at most 100. */
  namespaces?: string[];
}

const mostNamespaces = 100;

/** The names of what an agent server holds; what it does not list is left out. */
export async function heldByName(agentServer: AgentServerClient, signal: AbortSignal): Promise<HeldByName> {
  const [assistants, crons, namespaces] = await Promise.all([
    agentServer.assistants.search({}, signal).catch(unlessCancelled),
    agentServer.crons.search({}, signal).catch(unlessCancelled),
    agentServer.store.firstParts(mostNamespaces, signal).catch(unlessCancelled),
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

function resource(kind: HeldResource["kind"], id: string, name: string | null | undefined): HeldResource {
  return { kind, id, ...(name && { name }) };
}

function unlessCancelled(error: unknown): undefined {
  if (!AgentServerError.is(error)) throw error;
}
