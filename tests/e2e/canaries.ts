import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Secret values whose encodings in JSON, in a URL, and in base64 differ from the value itself, so that each of these
 * encodings is detected.
 */
export const canaries = {
  apiKey: 'canary-key"4f/+%7',
  greeting: 'Canary "hello"/+&=%1',
  rotatedGreeting: 'Canary "rotated"/+&=%2',
  modelKey: 'canary-model"/+&=%3',
  tenantId: "canary-tenant/+%4",
};

/** Returns every encoding in which a value may be readable. */
export function formsOf(value: string): string[] {
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    encodeURIComponent(value),
    encodeURI(value),
    ...[0, 1, 2].flatMap((offset) => insideBase64(value, offset)),
  ];
}

/** Returns the names of the canaries that a string contains. */
export function canariesIn(text: string): string[] {
  return Object.entries(canaries)
    .filter(([, value]) => formsOf(value).some((form) => text.includes(form)))
    .map(([name]) => name);
}

/** Pattern for Pulumi's own output lines that contain every property, regardless of the provider. */
const pulumisOwn = /(?:Unm|M)arshaling property for RPC|RegisterResource RPC finished/;

/**
 * Returns the canaries that occur in the most verbose output of the engine and the SDK, outside of Pulumi's own lines.
 * @param printed the output, keyed by location
 */
export function canariesInOutput(printed: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(printed).flatMap(([where, texts]) =>
    texts
      .flatMap((text) => text.split("\n"))
      .filter((line) => !pulumisOwn.test(line))
      .flatMap((line) => canariesIn(line).map((name) => `${where}: ${name} in ${line.slice(0, 80)}`)),
  );
}

/** Returns all files below a folder that contain a canary. */
export function filesWithCanaries(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => canariesIn(readFileSync(file, "utf8")).length > 0);
}

/**
 * Returns the encodings of a value in base64 and base64url if this many other bytes precede it, without the characters
 * that depend on other bytes.
 */
function insideBase64(value: string, offset: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
  const cut = (text: string) => text.replace(/=+$/, "").slice(offset === 0 ? 0 : 4, -1);
  return [cut(bytes.toString("base64")), cut(bytes.toString("base64url"))];
}
