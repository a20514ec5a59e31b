import type { Revision } from "./types";

/** Setting that differs between two revisions. */
export interface Difference {
  name: string;
  before: string | undefined;
  after: string | undefined;
}

/**
 * Returns the differences between two revisions. For secrets, only the names are compared.
 */
export function differences(before: Revision, after: Revision): Difference[] {
  const [old, current] = [settingsOf(before), settingsOf(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((name) => ({ name, before: old.get(name), after: current.get(name) }))
    .filter((one) => one.before !== one.after);
}

function settingsOf(revision: Revision): Map<string, string> {
  const { source, source_config: config, source_revision_config: revised, variables, secrets } = revision;
  const found = new Map<string, string>();
  const names = (secrets ?? []).map(({ name }) => name).sort();
  collect(found, "", { source, ...config, ...revised, secret_names: names.join(", ") });
  for (const { name, value } of variables ?? []) found.set(`variables.${name}`, value);
  return found;
}

function collect(found: Map<string, string>, prefix: string, settings: object): void {
  for (const [name, value] of Object.entries(settings) as [string, unknown][]) {
    if (value == null || value === "") continue;
    if (typeof value === "object" && !Array.isArray(value)) collect(found, `${prefix}${name}.`, value);
    else found.set(prefix + name, typeof value === "string" ? value : JSON.stringify(value));
  }
}
