import { createHash } from "node:crypto";

/** Returns the UUID of a name. Agent servers derive the ID of a graph's default assistant in the same way. */
export function v5(name: string): string {
  const space = Buffer.from("6ba7b8219dad11d180b400c04fd430c8", "hex");
  const bytes = createHash("sha1").update(space).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}
