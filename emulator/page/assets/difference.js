/**
 * Returns the differences between two revisions as a list of `{ name, before, after }`, where `before` and `after` are
 * strings or `undefined`. For secrets, only the names are compared.
 */
export function differences(before, after) {
  const [old, current] = [settingsOf(before), settingsOf(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((name) => ({ name, before: old.get(name), after: current.get(name) }))
    .filter((one) => one.before !== one.after);
}

function settingsOf({ source, source_config: config, source_revision_config: revised, variables, secrets }) {
  const found = new Map();
  const names = (secrets ?? []).map(({ name }) => name).sort();
  collect(found, "", { source, ...config, ...revised, secret_names: names.join(", ") });
  for (const { name, value } of variables ?? []) found.set(`variables.${name}`, value);
  return found;
}

function collect(found, prefix, settings) {
  for (const [name, value] of Object.entries(settings)) {
    if (value === null || value === undefined || value === "") continue;
    if (typeof value === "object" && !Array.isArray(value)) collect(found, `${prefix}${name}.`, value);
    else found.set(prefix + name, typeof value === "string" ? value : JSON.stringify(value));
  }
}
