import { AgentServerError } from "../errors";
import type { AgentServerClient } from "../agent-server/client";
import type { AssistantRecord, StoreItemRecord } from "../agent-server/wire";
import { orderingAdvice } from "./ordering-advice";

/** Criteria for an assistant; exactly one of them must be specified. */
interface WantedAssistant {
  assistantId?: string;
  name?: string;
}

/**
 * Finds an assistant.
 * @throws AgentServerError `resource_gone` if no assistant matches, `name_conflict` if several match
 */
export async function lookUpAssistant(
  { assistants }: AgentServerClient,
  { assistantId, name }: WantedAssistant,
): Promise<AssistantRecord> {
  if (assistantId !== undefined)
    return (await assistants.find(assistantId)) ?? missing(`Assistant ${assistantId}`);
  // Servers also match parts of names.
  const found = (await assistants.search({ name })).filter((one) => one.name === name);
  if (found.length > 1)
    throw new AgentServerError(
      "name_conflict",
      `${found.length} assistants are named "${name}" on this agent server: ${found.map((one) => one.assistant_id).join(", ")}. Specify the assistantId of one of them.`,
    );
  return found[0] ?? missing(`An assistant named "${name}"`);
}

/** Criteria for listing assistants; all are optional. */
export interface AssistantFilters {
  graph?: string;
  nameContains?: string;
  metadata?: Record<string, unknown>;
}

/**
 * Returns the assistants on an agent server, oldest first. Also filters on the client, because a server may not support
 * the name filter, and because servers compare names case-insensitively.
 */
export async function listAssistants(
  { assistants }: AgentServerClient,
  { graph, nameContains, metadata }: AssistantFilters,
): Promise<AssistantRecord[]> {
  const found = await assistants.search({
    ...(graph !== undefined && { graph_id: graph }),
    ...(nameContains !== undefined && { name: nameContains }),
    ...(metadata !== undefined && { metadata }),
  });
  return found
    .filter(({ name }) => (name ?? "").includes(nameContains ?? ""))
    .filter(({ graph_id: id }) => graph === undefined || id === graph);
}

/**
 * Finds an item in the store.
 * @throws AgentServerError `resource_gone` if the item does not exist
 */
export async function lookUpStoreItem(
  { store }: AgentServerClient,
  namespace: readonly string[],
  key: string,
): Promise<StoreItemRecord> {
  return (
    (await store.find(namespace, key)) ?? missing(`Store item "${key}" in namespace ${namespace.join(".")}`)
  );
}

function missing(what: string): never {
  throw new AgentServerError(
    "resource_gone",
    `${what} was not found on this agent server. ${orderingAdvice}`,
  );
}
