/** JSON Schema, as far as forms use it. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Field of a form that is generated from a schema. */
export interface InputField {
  name: string;
  title: string;
  description: string | undefined;
  kind: "boolean" | "choice" | "json" | "number" | "text";
  isRequired: boolean;
  /** Choices, as JSON. */
  choices: string[];
  /** Initial text: plain text for the kind `text`, otherwise JSON. Empty if the schema has no default. */
  initial: string;
}

/** Name of the field for an input that is not an object. */
const wholeInput = "";

/** Returns the fields of a form for values of a schema. */
export function inputFields(schema: Schema): InputField[] {
  const root = resolved(schema, schema);
  if (!root.properties) return [fieldOf(wholeInput, root, schema, true)];
  return Object.entries(root.properties).map(([name, property]) =>
    fieldOf(name, property, schema, root.required?.includes(name) ?? false),
  );
}

/** True if values of the schema contain a list of messages. */
export function hasMessages(schema: Schema | null | undefined): boolean {
  return schema ? resolved(schema, schema).properties?.["messages"] !== undefined : false;
}

/**
 * Returns the value that the texts of a form describe. Empty fields are omitted.
 *
 * @throws `SyntaxError` if a field contains invalid JSON; its message starts with the title of the field
 */
export function inputValue(fields: InputField[], texts: Record<string, string>): unknown {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const text = texts[field.name] ?? "";
    if (text !== "") values[field.name] = field.kind === "text" ? text : jsonOf(text, field.title);
  }
  return fields[0]?.name === wholeInput ? values[wholeInput] : values;
}

/**
 * Parses JSON.
 *
 * @throws `SyntaxError` whose message starts with `title`
 */
export function jsonOf(text: string, title: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`${title}: ${(error as Error).message}`);
  }
}

function fieldOf(name: string, property: Schema, root: Schema, isRequired: boolean): InputField {
  const schema = resolved(property, root);
  const kind = kindOf(schema);
  const initial = schema.default ?? property.default;
  return {
    name,
    title: property.title ?? schema.title ?? (name === wholeInput ? "Input" : name),
    description: property.description ?? schema.description,
    kind,
    isRequired,
    choices: (schema.enum ?? []).map((one) => JSON.stringify(one)),
    initial:
      initial == null
        ? ""
        : typeof initial === "string" && kind === "text"
          ? initial
          : JSON.stringify(initial),
  };
}

function kindOf({ type, enum: choices }: Schema): InputField["kind"] {
  if (choices) return "choice";
  if (type === "string") return "text";
  if (type === "boolean") return "boolean";
  return type === "number" || type === "integer" ? "number" : "json";
}

/** Returns a schema without references, and without the alternative `null`. */
function resolved(schema: Schema, root: Schema, depth = 0): Schema {
  if (depth > 20) return {};
  if (schema.$ref?.startsWith("#/")) {
    const target = schema.$ref
      .slice(2)
      .split("/")
      .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], root);
    return resolved(target ?? {}, root, depth + 1);
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    return { ...schema, type: types.length === 1 ? types[0]! : types };
  }
  const alternatives = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.filter(({ type }) => type !== "null");
  return alternatives?.length === 1 ? resolved(alternatives[0]!, root, depth + 1) : schema;
}
