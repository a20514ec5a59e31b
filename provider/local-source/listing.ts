import { gunzipSync, gzipSync } from "node:zlib";
import type { HashedFile } from "./contents";

/** Number of characters of a file's hash that are stored in state. They are sufficient to detect a change. */
const kept = 8;

/** Maximum number of changed files that are listed by name. */
const named = 10;

/** Returns the files of a source with the first characters of their hashes, as a short text for the state. */
export function packedListing(files: readonly Pick<HashedFile, "path" | "hash" | "isExecutable">[]): string {
  const lines = files.map(
    ({ path, hash, isExecutable }) => `${hash.slice(0, kept)}${isExecutable ? "x" : "-"}${path}`,
  );
  return gzipSync(lines.join("\0"), { level: 9 }).toString("base64");
}

/**
 * Describes which files differ between two sources: `3 of 41 files changed: graph.mjs, src/a.ts (new), src/b.ts
 * (gone)`.
 * @returns `undefined` if there is no difference, or if one of the sources is unknown
 */
export function changedFiles(before: unknown, after: unknown): string | undefined {
  const [old, now] = [read(before), read(after)];
  if (!old || !now) return undefined;
  const changed = [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .flatMap((path) => (old.get(path) === now.get(path) ? [] : [path + note(old.has(path), now.has(path))]));
  if (changed.length === 0) return undefined;
  const more = changed.length > named ? `, and ${changed.length - named} more` : "";
  const files = now.size === 1 ? "1 file" : `${now.size} files`;
  return `${changed.length} of ${files} changed: ${changed.slice(0, named).join(", ")}${more}`;
}

function note(was: boolean, is: boolean): string {
  if (!was) return " (new)";
  return is ? "" : " (gone)";
}

function read(packed: unknown): Map<string, string> | undefined {
  if (typeof packed !== "string" || packed === "") return undefined;
  try {
    const text = gunzipSync(Buffer.from(packed, "base64")).toString();
    const lines = text === "" ? [] : text.split("\0");
    return new Map(lines.map((line) => [line.slice(kept + 1), line.slice(0, kept + 1)]));
  } catch {
    // A state may have been edited, and this text is only a hint.
    return undefined;
  }
}
