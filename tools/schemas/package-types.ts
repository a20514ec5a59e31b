import type { FieldComment } from "./doc-comments";
import type { JsonSchema } from "./manifest-schema";

/** Type in the schema of a Pulumi package. */
interface TypeSpec {
  type?: string;
  $ref?: string;
  items?: TypeSpec;
  additionalProperties?: TypeSpec;
  oneOf?: TypeSpec[];
  /** True if programs cannot pass an output as the value. */
  plain?: boolean;
}

/** Property in the schema of a Pulumi package. */
export interface PropertySpec extends TypeSpec {
  description: string;
  secret?: boolean;
  willReplaceOnChanges?: boolean;
}

/** Object type in the schema of a Pulumi package. */
export interface ObjectSpec {
  type?: string;
  description?: string;
  properties: Record<string, PropertySpec>;
  required: string[];
}

/** Location of a type in its resource or function. */
interface Place {
  comments: Map<string, FieldComment>;
  owner: string;
  path: string[];
}

const any: TypeSpec = { $ref: "pulumi.json#/Any" };

/** Named types of a package. Types with the same fields share a name. */
export class PackageTypes {
  private readonly named = new Map<string, { type: object; field: string }>();

  /** @param reserved names that types must not have */
  constructor(private readonly reserved: readonly string[]) {}

  /** Returns the types, keyed by token, sorted. */
  all(): Record<string, never> {
    const entries = [...this.named].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(entries.map(([name, { type }]) => [token(name), type])) as Record<
      string,
      never
    >;
  }

  /**
   * Converts the JSON Schema of an object.
   * @param comments doc comments, keyed by path
   * @param owner name of the resource or function, used as a prefix for the names of types without a name
   */
  objectOf(schema: JsonSchema, comments: Map<string, FieldComment>, owner: string): ObjectSpec {
    return this.fieldsOf(schema, { comments, owner, path: [] });
  }

  private fieldsOf({ properties = {}, required = [] }: JsonSchema, place: Place): ObjectSpec {
    const fields = Object.entries(properties).map(([name, field]) => {
      const inside = { ...place, path: [...place.path, name] };
      return [name, { ...this.typeOf(field, inside), description: this.descriptionOf(field, inside) }];
    });
    return {
      properties: Object.fromEntries(fields) as ObjectSpec["properties"],
      required: Object.keys(properties).filter((name) => required.includes(name)),
    };
  }

  private typeOf(schema: JsonSchema, place: Place): TypeSpec {
    const type = this.eventualTypeOf(schema, place);
    return schema["plain"] ? { ...type, plain: true } : type;
  }

  private eventualTypeOf(schema: JsonSchema, place: Place): TypeSpec {
    if (schema["$ref"]) return { $ref: schema["$ref"] as string };
    const choices = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
    if (schema.anyOf) return this.unionOf(choices, place);
    const [type] = [schema["type"]].flat().filter((name) => name !== "null") as (string | undefined)[];
    if ("const" in schema) return { type: typeof schema["const"] };
    if (schema["enum"]) return this.enumOf(schema, place);
    if (type === "array") return { type, items: this.typeOf(schema["items"] as JsonSchema, place) };
    if (type === "object" && schema.properties)
      return { $ref: this.nameOf(this.typed(schema, place), place) };
    if (type === "object") {
      const values = schema["additionalProperties"] as JsonSchema;
      return { type, additionalProperties: this.typeOf(values, place) };
    }
    return type === undefined ? any : { type };
  }

  private unionOf(choices: JsonSchema[], place: Place): TypeSpec {
    const converted = choices.map((choice) => this.typeOf(choice, place));
    const different = converted.filter(
      (one, index) => converted.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
    );
    // The Python SDK cannot send a list whose type is a union.
    const isSendable = different.every(({ type }) => type !== "array");
    return different.length === 1 ? different[0]! : isSendable ? { oneOf: different } : any;
  }

  /**
   * Returns a type that accepts any string. If the type accepted only the known values, programs could not pass plain
   * strings.
   */
  private enumOf(schema: JsonSchema, place: Place): TypeSpec {
    const type = "string";
    const values = schema["enum"] as string[];
    const known = {
      description: this.descriptionOf(schema, place),
      type,
      enum: values.map((value) => ({ value, name: pascalCase(value) })),
    };
    return { type, oneOf: [{ type }, { type, $ref: this.nameOf(known, place) }] };
  }

  private typed(schema: JsonSchema, place: Place): object {
    const description = commentAt(place)?.type?.text ?? this.descriptionOf(schema, place);
    return { description, type: "object", ...this.fieldsOf(schema, place) };
  }

  private descriptionOf(schema: JsonSchema, place: Place): string {
    const comment = commentAt(place);
    return (schema["description"] as string | undefined) ?? (comment ? describe(comment) : "");
  }

  /**
   * Returns a reference to a type. Adds the type, unless there is an equal one that belongs to a field of the same
   * name, or that has the name of this type in the SDK.
   */
  private nameOf(type: object, place: Place): string {
    const { owner, path } = place;
    const field = path.at(-1)!;
    const declared = commentAt(place)?.type?.name.replace(/Args$/, "");
    const known = [...this.named].find(
      ([name, other]) =>
        (other.field === field || name === declared) && sameFields(other.type) === sameFields(type),
    );
    if (known) return reference(known[0]);
    const name = declared ?? (sharedFields.includes(field) ? "" : owner) + path.map(pascalCase).join("");
    if (this.named.has(name) || this.reserved.includes(name))
      throw new Error(
        `The type of ${owner}.${path.join(".")} cannot be named ${name}, which is another type.`,
      );
    this.named.set(name, { type, field });
    return reference(name);
  }
}

/** Fields that several kinds have. Their types are not named after one of these kinds. */
const sharedFields = ["adopt"];

function commentAt({ comments, path }: Place): FieldComment | undefined {
  return comments.get(path.join("."));
}

/** Returns a string that is the same for types that differ only in their descriptions. */
function sameFields(type: object): string {
  return JSON.stringify(type, (key, value: unknown) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
}

/**
 * Returns a description with the default. SDKs do not set defaults, because an omitted input is not equivalent to a
 * specified one.
 */
function describe({ text, default: value, defaultText }: FieldComment): string {
  if (value !== undefined) return `${text} Defaults to \`${JSON.stringify(value)}\`.`;
  return defaultText === undefined ? text : `${text} Default: ${defaultText}.`;
}

function pascalCase(text: string): string {
  const camel = text.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) =>
    (next ?? "").toUpperCase(),
  );
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

const token = (name: string) => `agentserver:index:${name}`;
const reference = (name: string) => `#/types/${token(name)}`;
