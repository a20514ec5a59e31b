import { inspect } from "node:util";
import { findAny } from "./find-any";
import { plainText } from "./plain-text";

/**
 * Minimum length of a secret. Redacting shorter values would hide unrelated text, and they are not effective secrets.
 */
const shortest = 4;

/** Placeholder for a secret. */
export const hidden = "[secret]";

/**
 * Returns a function that replaces these secrets in a string, including their escaped, URL-encoded, and base64 forms,
 * even within a longer base64 string.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  let find: ReturnType<typeof findAny> | undefined;
  return (text) => {
    // Most operations write no text, and computing the forms of large secrets takes time.
    find ??= findAny(formsOfAll(secrets), shortest);
    let rest = "";
    let end = 0;
    for (const found of find(text)) {
      rest += `${text.slice(end, found.start)}${hidden}`;
      end = found.end;
    }
    return rest + text.slice(end);
  };
}

/**
 * Redacts a log line. If a terminal command, such as a color, splits a secret, all such commands are removed from the
 * line.
 */
export function redactLine(line: string, redact: (text: string) => string): string {
  const redacted = redact(line);
  const plain = plainText(redacted);
  const redactedPlain = redact(plain);
  return redactedPlain === plain ? redacted : redactedPlain;
}

function* formsOfAll(secrets: readonly string[]): Iterable<string> {
  for (const secret of secrets) if (secret.length >= shortest) yield* formsOf(secret);
}

function* formsOf(secret: string): Iterable<string> {
  // Half of a surrogate pair cannot be encoded, and is sent as the replacement character.
  const bytes = Buffer.from(secret);
  yield secret;
  if (/[\r\n]/.test(secret)) yield* linesOf(secret);
  yield* quoted(secret);
  if (!/^[\w.~-]*$/.test(secret)) {
    const encoded = encodeURIComponent(bytes.toString());
    yield encoded;
    yield asFormField(encoded);
  }
  for (const before of [0, 1, 2]) {
    const inside = innerBase64(bytes, before);
    yield inside;
    if (/[+/]/.test(inside)) yield inside.replaceAll("+", "-").replaceAll("/", "_");
  }
}

function* linesOf(secret: string): Iterable<string> {
  for (const line of secret.split(/\r\n|\r|\n/)) {
    if (line.trim().length < 2 * shortest) continue;
    yield line;
    yield* quoted(line);
  }
}

/**
 * Yields the forms of a secret in JSON and in Node.js messages, with control characters as `\u0000` and `\x00`. Neither
 * form splits the secret into several strings.
 */
function* quoted(text: string): Iterable<string> {
  if (/^[ !#-&(-[\]-~]*$/.test(text)) return;
  yield JSON.stringify(text).slice(1, -1);
  yield inspect(text, { breakLength: Infinity, maxStringLength: Infinity }).slice(1, -1);
}

/**
 * Encodes a URL-encoded string in the same way as the value of a form field. In a form, more characters are special.
 */
function asFormField(encoded: string): string {
  const special = /[!'()~]/g;
  return encoded
    .replaceAll("%20", "+")
    .replace(special, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Returns the part of a base64 string that depends only on these bytes, if `before` other bytes precede them. */
function innerBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const end = Math.floor(((before + bytes.length) * 8) / 6);
  return text.slice(Math.ceil((before * 8) / 6), end);
}
