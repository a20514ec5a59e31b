import { inspect } from "node:util";
import { isCommonValue } from "../../../wire";

/** Removes all secrets from a string that leaves the rollout. */
export type Redact = (text: string) => string;

const redacted = "[secret]";

/**
 * Length below which a value is redacted only as a separate word, because it would also occur within many other words.
 */
const shortLength = 4;

/**
 * Returns a `Redact` for these values, except common ones such as `1` and `true`. It redacts each value as plain text
 * and as encoded in JSON, in URLs, in base64, and in Node.js messages.
 */
export function redactor(values: Iterable<string>): Redact {
  const patterns = [...new Set([...values].filter((value) => !isCommonValue(value)).flatMap(formsOf))]
    .filter((form) => form !== "")
    .sort((a, b) => b.length - a.length)
    .map(patternOf);
  if (patterns.length === 0) return (text) => text;
  const any = new RegExp(patterns.join("|"), "g");
  return (text) => text.replace(any, redacted);
}

function formsOf(value: string): string[] {
  const trimmed = value.trim();
  // Logs are written line by line, so a multi-line secret occurs in parts.
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  return [value, trimmed, ...lines.filter((line) => line.length >= 8)].flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    inspected(text),
    urlText(text),
    ...(text.length < shortLength ? [] : [base64(text, "base64"), base64(text, "base64url")]),
  ]);
}

/**
 * Quotes a string in the same way as Node.js quotes strings in messages: with control characters as `\x00`, and without
 * line breaks.
 */
function inspected(text: string): string {
  return inspect(text, { breakLength: Infinity, maxStringLength: Infinity }).slice(1, -1);
}

function urlText(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

function base64(text: string, encoding: "base64" | "base64url"): string {
  return Buffer.from(text).toString(encoding).replace(/=+$/, "");
}

function patternOf(form: string): string {
  const literal = form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return form.length < shortLength ? `(?<![A-Za-z0-9_])(?:${literal})(?![A-Za-z0-9_])` : literal;
}
