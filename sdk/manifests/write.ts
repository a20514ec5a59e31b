import { stringify } from "yaml";
import { literally } from "./references";
import { withTexts } from "./texts";

/**
 * Manifests as the text of one file, in block style, one document each.
 *
 * @param schema where an editor finds the JSON Schema, from the file's folder or as a URL
 */
export function writeManifests(manifests: readonly object[], { schema }: { schema?: string } = {}): string {
  const documents = manifests.map((manifest) =>
    stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 }),
  );
  const comment = schema === undefined ? "" : `# yaml-language-server: $schema=${schema}\n`;
  return comment + documents.join("---\n");
}

/** A value that stands for itself in a manifest: no text in it is taken for a reference. */
export function literalValue<Value>(value: Value): Value {
  return withTexts(value, literally) as Value;
}
