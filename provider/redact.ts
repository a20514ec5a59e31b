import { inspect } from "node:util";

/** Shorter values would blot out innocent text, and are no secrets worth the name. */
const shortest = 4;

/** Replaces every given secret in a text, also where it stands escaped, URL-encoded or in base64. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf);
  // Longer ones first, so that a secret inside another one leaves no rest of it.
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((rest, form) => rest.replaceAll(form, "[secret]"), text);
}

function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.trim().length >= 2 * shortest);
  const base64 = Buffer.from(secret).toString("base64");
  return [
    secret,
    ...lines,
    ...[secret, ...lines].map(inspected),
    JSON.stringify(secret).slice(1, -1),
    // A half of a surrogate pair cannot be encoded, and is sent as the replacement character.
    encodeURIComponent(Buffer.from(secret).toString()),
    base64,
    base64.replace(/=+$/, ""),
    Buffer.from(secret).toString("base64url"),
  ];
}

/** As messages of Node quote it: control characters as `\x00`, in one piece. */
function inspected(text: string): string {
  return inspect(text, { breakLength: Infinity, maxStringLength: Infinity }).slice(1, -1);
}
