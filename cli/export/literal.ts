import { printableJson } from "../printable";

/** Source code that `literal` inserts unchanged. */
export class Code {
  constructor(readonly text: string) {}
}

/** Length up to which a value stays on one line, in characters. */
const lineWidth = 100;

/**
 * Formats a value as TypeScript. Strings are formatted as literals without invisible characters. Only `Code` is
 * inserted as code.
 *
 * @param indent indentation of the line, in spaces
 * @param before number of characters before the value on the line
 */
export function literal(value: unknown, indent = 0, before = indent): string {
  if (value instanceof Code) return value.text;
  if (value === undefined) return "undefined";
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return printableJson(JSON.stringify(value));
  const isArray = Array.isArray(value);
  const entries = isArray ? value.map((item) => ["", item] as const) : fieldsOf(value);
  const [open, close] = isArray ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return open + close;
  const flat = entries.map(([key, item]) => key + literal(item, 0, 0)).join(", ");
  const line = isArray ? `[${flat}]` : `{ ${flat} }`;
  if (!line.includes("\n") && before + line.length <= lineWidth) return line;
  const inner = indent + 2;
  const lines = entries.map(
    ([key, item]) => `${" ".repeat(inner)}${key}${literal(item, inner, inner + key.length)},\n`,
  );
  return `${open}\n${lines.join("")}${" ".repeat(indent)}${close}`;
}

function fieldsOf(value: object): (readonly [string, unknown])[] {
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [`${keyOf(key)}: `, item]);
}

function keyOf(key: string): string {
  // A key that is not computed would set the prototype.
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}
