import type { Facts } from "./facts";

/** Formats the facts as JSON, with one parameter, response, or schema field per line. */
export function factsText({ operations, schemas }: Facts): string {
  const whole = {
    operations: block(part(operations, (operation) => block(part(operation, inner)))),
    schemas: block(part(schemas, schemaText)),
  };
  return `${block(whole)}\n`;
}

type Texts = Record<string, string>;

/** Formats the objects and arrays of an operation with one member per line. */
function inner(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return `[\n${indented(value.map(line).join(",\n"))}\n]`;
  if (typeof value === "object" && value !== null && Object.keys(value).some((key) => /^\d+$/.test(key)))
    return block(part(value as Record<string, unknown>, line));
  return line(value);
}

function schemaText(shape: unknown): string {
  const { fields, ...others } = shape as { fields?: Record<string, unknown> };
  return fields ? block({ ...part(others, line), fields: block(part(fields, line)) }) : line(shape);
}

function part<Value>(record: Record<string, Value> | object, text: (value: never) => string): Texts {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, text(value as never)]));
}

function block(texts: Texts): string {
  const lines = Object.entries(texts).map(([key, text]) => `${JSON.stringify(key)}: ${text}`);
  return lines.length === 0 ? "{}" : `{\n${indented(lines.join(",\n"))}\n}`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, " ");
}

function line(value: unknown): string {
  return JSON.stringify(value);
}
