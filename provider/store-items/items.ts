import { isGroup } from "../resource/inputs/values";
import { readFile } from "node:fs/promises";
import { AgentServerError } from "../errors";
import { reading, realFolder } from "../local-source/files";
import { sourceFiles } from "../local-source/source-files";
import { digestOf } from "../resource/inputs/json";

/** Values of items, by the keys of the items. */
export type Items = ReadonlyMap<string, Record<string, unknown>>;

/** Hashes of values, by the keys of the items. */
export type Hashes = Readonly<Record<string, string>>;

/** Maximum number of keys in a message. */
const listedKeys = 10;

/** Formats the first few keys. */
export function named(keys: readonly string[]): string {
  const rest = keys.length - listedKeys;
  return [...keys.slice(0, listedKeys), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

export function itemsOf(map: Readonly<Record<string, Record<string, unknown>>>): Items {
  return new Map(Object.entries(map));
}

/**
 * Returns the items in a folder. A JSON file such as `a/b.json` that contains an object becomes the item `a/b`. Any
 * other text file becomes an item with its path as the key and `{ content }` as the value. Omits names that start with
 * a dot, links, and ignored files.
 * @throws AgentServerError `bad_configuration` for a file that cannot be an item, for two files with the same key, and
 * for a folder without items unless `allowEmpty` is set
 */
export async function itemsIn(folder: string, allowEmpty = false): Promise<Items> {
  const listing = await sourceFiles([await realFolder(folder)]);
  const files = listing.files.filter(({ path }) => !/(^|\/)\./.test(path));
  const items = await Promise.all(
    files.map(async ({ place, path }) => [keyOf(path), await valueIn(place, path)] as const),
  );
  if (items.length === 0 && !allowEmpty)
    throw new AgentServerError(
      "bad_configuration",
      `${folder} contains no files that become items, so all items would be deleted. To allow that, set \`allowEmpty: true\`.`,
    );
  items.sort(([one], [other]) => (one < other ? -1 : 1));
  const duplicate = items.find(([key], index) => key === items[index + 1]?.[0]);
  if (duplicate)
    throw new AgentServerError(
      "bad_configuration",
      `${folder} has two files for the item ${duplicate[0]}: ${duplicate[0]} and ${duplicate[0]}.json. Rename or remove one of them.`,
    );
  return new Map(items);
}

function keyOf(path: string): string {
  return path.replace(/\.json$/, "");
}

async function valueIn(place: string, path: string): Promise<Record<string, unknown>> {
  const text = await reading(place, () => readFile(place, "utf8"));
  if (text.includes("\0") || text.includes("\ufffd"))
    throw new AgentServerError("bad_configuration", `${path} is not a text file. Remove it from the folder.`);
  if (!path.endsWith(".json")) return { content: text };
  const value = parsed(text);
  if (isGroup(value)) return value;
  throw new AgentServerError("bad_configuration", `${path} must contain a JSON object.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the hash of each item's value. The hash does not depend on the order of the value's keys. */
export function hashesOf(items: Items): Record<string, string> {
  return Object.fromEntries([...items].map(([key, value]) => [key, hashOf(value)]));
}

export function hashOf(value: unknown): string {
  return digestOf(value).slice(0, 32);
}
