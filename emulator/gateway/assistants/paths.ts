import { createHash } from "node:crypto";
import { Refusal } from "../request/refusal";

/** Matches UUIDs of any version. */
const guid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Namespace for the IDs that are derived from graph names, as documented. */
const graphs = Buffer.from("6ba7b8219dad11d180b400c04fd430c8", "hex");

/** Returns the path of an assistant, or a path below it. A graph name refers to the default assistant of the graph. */
export const readPath = (nameOrId: string, rest = ""): string =>
  `/assistants/${guid.test(nameOrId) ? nameOrId : idOfGraph(nameOrId)}${rest}`;

/** Returns the path for requests that change an assistant. These requests do not accept graph names. */
export function writePath(id: string, rest = ""): string {
  if (!guid.test(id)) throw new Refusal(404, "Assistant not found");
  return `/assistants/${id}${rest}`;
}

/** Returns a name-based UUID (version 5). */
function idOfGraph(name: string): string {
  const bytes = createHash("sha1").update(graphs).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
