import { createHash } from "node:crypto";

/** Namespace of the ids of graphs' own assistants: that of X.500 names. */
const namespace = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** The id of the assistant that an agent server makes for each graph (a UUID of version 5). */
export function defaultAssistantOf(graph: string): string {
  return namedUuid(namespace, graph);
}

/** The UUID of version 5 of a name. */
export function namedUuid(space: string, name: string): string {
  const hash = createHash("sha1").update(Buffer.from(space.replaceAll("-", ""), "hex")).update(name).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString("hex").slice(0, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
