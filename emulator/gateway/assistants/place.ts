import { createHash } from "node:crypto";
import { Refusal } from "../call/refusal";

/** Ids of any version of UUIDs. */
const guid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The namespace in which the names of graphs make ids, as documented. */
const graphs = Buffer.from("6ba7b8219dad11d180b400c04fd430c8", "hex");

/** Path of an assistant, or of what is below it; the name of a graph stands for the assistant that every graph has. */
export const readPlace = (nameOrId: string, rest = ""): string =>
  `/assistants/${guid.test(nameOrId) ? nameOrId : idOfGraph(nameOrId)}${rest}`;

/** The same for what changes an assistant, which takes no name. */
export function changePlace(id: string, rest = ""): string {
  if (!guid.test(id)) throw new Refusal(404, "Assistant not found");
  return `/assistants/${id}${rest}`;
}

/** A name-based UUID (version 5). */
function idOfGraph(name: string): string {
  const bytes = createHash("sha1").update(graphs).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
