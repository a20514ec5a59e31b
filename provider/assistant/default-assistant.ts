import { namedUuid } from "../resource/ownership/derived-id";

/** UUID namespace for the IDs of default assistants: the namespace of X.500 names. */
const namespace = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** Returns the ID (a version 5 UUID) of the default assistant that an agent server creates for a graph. */
export function defaultAssistantOf(graph: string): string {
  return namedUuid(namespace, graph);
}
