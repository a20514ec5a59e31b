/** Value that differs between two JSON documents; `undefined` where it is missing. */
export interface JsonDifference {
  /** Path of the value in the documents. */
  name: string;
  before: string | undefined;
  after: string | undefined;
}

/** Returns the differences between two JSON documents, by path. */
export function jsonDifferences(before: unknown, after: unknown): JsonDifference[] {
  const [old, current] = [new Map<string, string>(), new Map<string, string>()];
  collect(old, "", before);
  collect(current, "", after);
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((name) => ({ name, before: old.get(name), after: current.get(name) }))
    .filter((one) => one.before !== one.after);
}

function collect(found: Map<string, string>, path: string, value: unknown): void {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) {
    if (value !== undefined) found.set(path, typeof value === "string" ? value : JSON.stringify(value));
    return;
  }
  for (const [name, part] of entries)
    collect(found, Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`, part);
}
