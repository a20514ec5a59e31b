import {
  pythonName,
  shortName,
  type PackageSchema,
  type SchemaDefinition,
  type SchemaProperties,
  type SchemaProperty,
  type SchemaType,
} from "./schema";

/** Returns a name in the language that the reader has selected, as HTML. */
export function nameOf(name: string): string {
  const python = pythonName(name);
  if (python === name) return `<code>${name}</code>`;
  return `<code class="camel-case">${name}</code><code class="snake-case">${python}</code>`;
}

/** Returns a table of properties in Markdown. */
export function propertyTable(properties: SchemaProperties, required: readonly string[] = []): string {
  const rows = Object.entries(properties).map(([name, property]) => {
    const marks = [
      ...(required.includes(name) ? ["required"] : []),
      ...(property.secret ? ["secret"] : []),
      ...(property.willReplaceOnChanges ? ["a change replaces the resource"] : []),
    ];
    const kind = [typeText(property), ...marks].join("; ");
    return `| ${nameOf(name)} | ${kind} | ${cell(property.description)} |`;
  });
  return ["| name | type | description |", "|---|---|---|", ...rows].join("\n");
}

/** Returns sections for the types that the properties refer to, directly or through other types. */
export function typeSections(schema: PackageSchema, properties: SchemaProperties[], heading: string): string {
  return typesOf(schema, properties)
    .map((token) => {
      const type = schema.types[token]!;
      const content = type.enum
        ? `Values: ${type.enum.map(({ value }) => `\`"${value}"\``).join(", ")}`
        : propertyTable(type.properties ?? {}, type.required);
      return [`${heading} ${shortName(token)}`, escapeText(type.description ?? ""), content];
    })
    .flat()
    .filter((part) => part !== "")
    .join("\n\n");
}

function typesOf(schema: PackageSchema, properties: SchemaProperties[]): string[] {
  const found = new Set<string>();
  const visit = (all: SchemaProperties) => Object.values(all).forEach(visitType);
  const visitType = (type: SchemaType | undefined): void => {
    if (!type) return;
    [type.items, type.additionalProperties, ...(type.oneOf ?? [])].forEach(visitType);
    const token = typeToken(type);
    const definition: SchemaDefinition | undefined = token === undefined ? undefined : schema.types[token];
    if (token === undefined || definition === undefined || found.has(token)) return;
    found.add(token);
    visit(definition.properties ?? {});
  };
  properties.forEach(visit);
  return [...found];
}

function typeToken({ $ref }: SchemaType): string | undefined {
  return $ref?.startsWith("#/types/") ? $ref.slice("#/types/".length) : undefined;
}

function typeText(type: SchemaProperty | SchemaType): string {
  if (type.oneOf) {
    // In most languages, an enum is a string, so the string type next to an enum is omitted.
    const others = type.oneOf.filter(
      (one, _, all) => one.$ref !== undefined || all.every(({ $ref }) => !$ref),
    );
    return others.map(typeText).join(" or ");
  }
  const token = typeToken(type);
  if (token !== undefined) return `[${shortName(token)}](#${shortName(token).toLowerCase()})`;
  if (type.$ref?.startsWith("#/resources/")) {
    const resource = shortName(type.$ref);
    return `[${resource}](./${resource.toLowerCase()}.md)`;
  }
  if (type.$ref !== undefined) return "any";
  if (type.items) return `list of ${typeText(type.items)}`;
  if (type.additionalProperties) return `map of ${typeText(type.additionalProperties)}`;
  return type.type ?? "any";
}

/** Returns the text with escapes for a table cell. */
function cell(text = ""): string {
  return escapeText(text)
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}

/** Returns the text with HTML and interpolations escaped, except in code. */
export function escapeText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;"),
    )
    .join("");
}
