import { namedUuid } from "../resource/ownership/derived-id";

/** UUID namespace for the ids of default assistants: that of X.500 names. */
const namespace = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** Returns the id of the assistant that an agent server creates for each graph (a UUID of version 5). */
export function defaultAssistantOf(graph: string): string {
  return namedUuid(namespace, graph);
}
