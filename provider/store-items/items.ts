import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { AgentServerError } from "../errors";
import { reading, realFolder } from "../local-source/files";
import { sourceFiles } from "../local-source/source-files";
import { sortedJson } from "../resource/inputs/json";

/** Items by their keys. */
export type Items = ReadonlyMap<string, Record<string, unknown>>;

/** The items that a map names. */
export function itemsOf(map: Readonly<Record<string, Record<string, unknown>>>): Items {
  return new Map(Object.entries(map));
}

/**
 * The items in a folder: of `a/b.json` the object in it under the key `a/b`, of any other text file `{ content }` under its
 * path. Names that begin with a dot, links, and what `.gitignore` names are left out.
 * @throws AgentServerError `bad_configuration` for a file that makes no item
 */
export async function itemsIn(folder: string): Promise<Items> {
  const listing = await sourceFiles([await realFolder(folder)]);
  const files = listing.files.filter(({ path }) => !/(^|\/)\./.test(path));
  const items = await Promise.all(
    files.map(async ({ place, path }) => [keyOf(path), await valueIn(place, path)] as const),
  );
  return new Map(items.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function keyOf(path: string): string {
  return path.replace(/\.json$/, "");
}

async function valueIn(place: string, path: string): Promise<Record<string, unknown>> {
  const text = await reading(place, () => readFile(place, "utf8"));
  if (text.includes("\0") || text.includes("\ufffd"))
    throw new AgentServerError("bad_configuration", `${path} is not a text file. Take it out of the folder.`);
  if (!path.endsWith(".json")) return { content: text };
  const value = parsed(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new AgentServerError("bad_configuration", `${path} must hold a JSON object.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The hash of each item's value: the same in whatever order its keys are. */
export function hashesOf(items: Items): Record<string, string> {
  return Object.fromEntries([...items].map(([key, value]) => [key, hashOf(value)]));
}

/** The hash of a value. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(sortedJson(value)).digest("hex").slice(0, 32);
}
