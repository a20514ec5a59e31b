import { stringify } from "yaml";
import type { DeploymentManifest } from "./format";
import { literally } from "./references";

/**
 * Manifests as the text of one file, in block style, one document each.
 *
 * @param schema where an editor finds the JSON Schema, from the file's folder or as a URL
 */
export function writeManifests(
  manifests: readonly DeploymentManifest[],
  { schema }: { schema?: string } = {},
): string {
  const documents = manifests.map((manifest) =>
    stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 }),
  );
  const comment = schema === undefined ? "" : `# yaml-language-server: $schema=${schema}\n`;
  return comment + documents.join("---\n");
}

/** A value that stands for itself in a manifest: no text in it is taken for a reference. */
export function literalValue<Value>(value: Value): Value {
  return escaped(value) as Value;
}

function escaped(value: unknown): unknown {
  if (typeof value === "string") return literally(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escaped(item)]));
}
