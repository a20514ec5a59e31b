import { type Connection, type Declaration, secretKeys } from "./declaration";

/** Matches characters that are invisible or that change the order of the text around them. */
const unclear = /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu;

/**
 * Returns a string as a literal in double quotes. The literal is valid in TypeScript, Python, and YAML.
 *
 * @param escape - Escapes a character outside the Basic Multilingual Plane.
 */
export function quoted(text: string, escape: (code: string) => string): string {
  return JSON.stringify(text).replaceAll(unclear, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length > 4 ? escape(code) : `\\u${code.padStart(4, "0")}`;
  });
}

/** Returns the escape sequence of a character in Python and YAML. */
export function longEscape(code: string): string {
  return `\\U${code.padStart(8, "0")}`;
}

/**
 * Returns the comments at the start of a program: the subject, the notices, and the commands that configure the stack.
 *
 * @param packages - Commands or sentences about the required packages.
 */
export function header(
  marker: "//" | "#",
  declaration: Declaration,
  { baseUrl, tenantId }: Connection,
  packages: string[],
): string {
  const { kind, name, deployment, notices } = declaration;
  const subject = `${kind} ${name}${deployment === undefined ? "" : ` of deployment ${deployment}`}`;
  const lines = [
    subject,
    ...notices,
    "",
    ...packages,
    `pulumi config set agentserver:baseUrl ${shellWord(baseUrl)}`,
    `pulumi config set agentserver:tenantId ${shellWord(tenantId)}`,
    "pulumi config set --secret agentserver:apiKey",
    ...[...secretKeys(declaration).values()].map((key) => `pulumi config set --secret ${key}`),
  ];
  return lines.map((line) => `${marker} ${oneLine(line)}`.trimEnd() + "\n").join("");
}

/** Indents all lines except the first one. */
export function indented(text: string, by = "  "): string {
  return text.replaceAll("\n", `\n${by}`);
}

function shellWord(text: string): string {
  return /^[\w@+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Replaces characters that would end a comment or hide a part of it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/gu, " ");
}
