/** Takes every secret out of a text that leaves the rollout. */
export type Redact = (text: string) => string;

export const redacted = "[secret]";

/** Values shorter than this are taken out only where they stand alone: in words they would be everywhere. */
const shortLength = 4;

/** Builds a `Redact` for these values in clear and as JSON, URL and base64 text carry them. */
export function redactor(values: Iterable<string>): Redact {
  const patterns = [...new Set([...values].flatMap(formsOf))]
    .filter((form) => form !== "")
    .sort((a, b) => b.length - a.length)
    .map(patternOf);
  if (patterns.length === 0) return (text) => text;
  const any = new RegExp(patterns.join("|"), "g");
  return (text) => text.replace(any, redacted);
}

function formsOf(value: string): string[] {
  const trimmed = value.trim();
  // Logs go line by line, so a secret of several lines shows up in parts.
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  return [value, trimmed, ...lines.filter((line) => line.length >= 8)].flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    urlText(text),
    ...(text.length < shortLength ? [] : [base64(text, "base64"), base64(text, "base64url")]),
  ]);
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
