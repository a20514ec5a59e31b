/** Parts of a JSON Schema that forms use. */
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
  /** Unique name of the field in the form. */
  name: string;
  /** Key of the value in the object that contains it; `undefined` for an input that is not an object. */
  key: string | undefined;
  title: string;
  description: string | undefined;
  kind: "boolean" | "choice" | "group" | "json" | "number" | "text";
  /** True if the form cannot be submitted without the field. */
  isRequired: boolean;
  /** Fields of a group. A group is a field whose value is an object. */
  fields: InputField[];
  /** Values to choose from, as JSON. */
  choices: string[];
  /** Initial text: plain text for fields of the `text` kind, and otherwise JSON. Empty if the schema has no default. */
  initial: string;
}

/** Maximum depth of groups. Deeper objects are entered as JSON. */
const maxDepth = 3;

/**
 * Returns the fields of a form in which a user enters a value that matches a schema.
 *
 * @param title - Title of the field if the values are not objects with properties and the schema has no title.
 */
export function inputFields(schema: Schema, title = "Input"): InputField[] {
  const root = resolved(schema, schema);
  if (root.properties) return fieldsOf(root, schema, "", true, 0);
  return [{ ...fieldOf("", schema, schema, "", true, maxDepth), key: undefined, title: root.title ?? title }];
}

/** True if values of the schema contain a list of messages. */
export function hasMessages(schema: Schema | null | undefined): boolean {
  return schema ? resolved(schema, schema).properties?.["messages"] !== undefined : false;
}

/**
 * Returns the value that the user has entered in a form. Empty fields are omitted.
 *
 * @throws `SyntaxError` if a field contains invalid JSON; its message starts with the title of the field
 */
export function inputValue(fields: InputField[], texts: Record<string, string>): unknown {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const value = valueOf(field, texts);
    if (field.key === undefined) return value;
    if (value !== undefined) values[field.key] = value;
  }
  return values;
}

function valueOf(field: InputField, texts: Record<string, string>): unknown {
  const { kind, name, title, fields, isRequired } = field;
  if (kind === "group") {
    const value = inputValue(fields, texts) as object;
    return isRequired || Object.keys(value).length > 0 ? value : undefined;
  }
  const text = texts[name] ?? "";
  if (text === "") return undefined;
  return kind === "text" ? text : jsonOf(text, title);
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

function fieldsOf(
  { properties = {}, required = [] }: Schema,
  root: Schema,
  path: string,
  isRequired: boolean,
  depth: number,
): InputField[] {
  return Object.entries(properties).map(([key, property]) =>
    fieldOf(key, property, root, path, isRequired && required.includes(key), depth),
  );
}

function fieldOf(
  key: string,
  property: Schema,
  root: Schema,
  path: string,
  isRequired: boolean,
  depth: number,
): InputField {
  const schema = resolved(property, root);
  const choices = choicesOf(schema, root);
  const kind = choices ? "choice" : kindOf(schema, depth);
  const initial = schema.default ?? property.default;
  const name = `${path}/${key}`;
  return {
    name,
    key,
    title: property.title ?? schema.title ?? key,
    description: property.description ?? schema.description,
    kind,
    isRequired,
    fields: kind === "group" ? fieldsOf(schema, root, name, isRequired, depth + 1) : [],
    choices: (choices ?? []).map((one) => JSON.stringify(one)),
    initial:
      initial == null
        ? ""
        : typeof initial === "string" && kind === "text"
          ? initial
          : JSON.stringify(initial),
  };
}

function kindOf({ type, properties }: Schema, depth: number): InputField["kind"] {
  if (type === "string") return "text";
  if (type === "boolean") return "boolean";
  if (type === "number" || type === "integer") return "number";
  return properties && depth < maxDepth ? "group" : "json";
}

/** Returns the possible values, if the schema lists them. */
function choicesOf(schema: Schema, root: Schema): unknown[] | undefined {
  if (schema.enum) return schema.enum.filter((one) => one !== null);
  if (schema.const !== undefined) return [schema.const];
  const alternatives = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== "null");
  const all = alternatives?.map((one) => choicesOf(resolved(one, root), {}));
  return all?.every((one) => one !== undefined) ? all.flat() : undefined;
}

/** Returns a schema without references, and without the `null` alternative. */
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
