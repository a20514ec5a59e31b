import { stringify } from "yaml";
import { literally } from "./references";
import { withTexts } from "./texts";

/**
 * Formats manifests as the text of one file, in block style, with one document per manifest.
 *
 * @param schema location of the JSON Schema for editors, relative to the file's folder or as a URL
 */
export function writeManifests(manifests: readonly object[], { schema }: { schema?: string } = {}): string {
  const documents = manifests.map((manifest) =>
    stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 }),
  );
  const comment = schema === undefined ? "" : `# yaml-language-server: $schema=${schema}\n`;
  return comment + documents.join("---\n");
}

/** Escapes a value for a manifest, so that no string in it is parsed as a reference. */
export function literalValue<Value>(value: Value): Value {
  return withTexts(value, literally) as Value;
}
