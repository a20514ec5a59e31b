/** Part of a string: literal text, or a reference that is resolved when the program runs. */
export type Part = { literal: string } | Reference;

/** A secret in the stack's configuration (`${secret:NAME}`), or an environment variable (`${env:NAME}`). */
export interface Reference {
  kind: "secret" | "env";
  name: string;
}

/** Parts of a string, or the reason that the string cannot be parsed. `$${` is an escaped `${`. */
export type ParsedText = { parts: Part[] } | { fault: string };

const pieces = /\$\$\{|\$\{(?:(?<kind>[^:{}]*):(?<name>[^{}]*)\}|(?<closed>[^{}]*\}))?/g;

/** Valid reference names of each kind. */
const names: Record<Reference["kind"], RegExp> = {
  secret: /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/,
  env: /^[A-Za-z_][A-Za-z0-9_]*$/,
};

/** Parses the references in a string. Faults do not contain the string, because it may be a secret. */
export function parseReferences(text: string): ParsedText {
  const parts: Part[] = [];
  const say = (literal: string) => {
    const last = parts.at(-1);
    if (last && "literal" in last) last.literal += literal;
    else if (literal !== "") parts.push({ literal });
  };
  let end = 0;
  for (const match of text.matchAll(pieces)) {
    say(text.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[0] === "$${") {
      say("${");
      continue;
    }
    const reference = readReference(match.groups!);
    if (typeof reference === "string") return { fault: reference };
    parts.push(reference);
  }
  say(text.slice(end));
  return { parts };
}

function readReference({ kind, name, closed }: Record<string, string | undefined>): Reference | string {
  const escape = "write $${ for a literal ${";
  if (kind === undefined || name === undefined)
    return closed === undefined
      ? `contains an unclosed reference: \${secret:NAME needs a closing }; ${escape}`
      : `contains a reference without a kind; write \${secret:NAME} or \${env:NAME}, and ${escape}`;
  if (kind !== "secret" && kind !== "env")
    return `contains an unknown kind of reference; use \${secret:NAME} or \${env:NAME}; ${escape}`;
  if (!names[kind].test(name))
    return `contains a reference whose name is not valid for ${kind === "env" ? "a variable" : "a configuration value"}`;
  return { kind, name };
}

/** True if a string contains a reference; false for a reference that cannot be parsed. */
export function holdsReference(text: string): boolean {
  const parsed = parseReferences(text);
  return "parts" in parsed && parsed.parts.some((part) => !("literal" in part));
}

/** Escapes a string for a manifest, so that it contains no references. */
export function literally(text: string): string {
  // Uses a function, because `$$` in a replacement string inserts a single `$`.
  return text.replaceAll("${", () => "$${");
}

/** Returns the placeholder of a secret in a manifest: `${secret:NAME}`. */
export function secretReference(name: string): string {
  return `\${secret:${name}}`;
}
