/** Type of a value in a package schema. */
export interface SchemaType {
  type?: string;
  $ref?: string;
  items?: SchemaType;
  additionalProperties?: SchemaType;
  oneOf?: SchemaType[];
}

/** Input, output, or setting in a package schema. */
export interface SchemaProperty extends SchemaType {
  description?: string;
  secret?: boolean;
  willReplaceOnChanges?: boolean;
}

/** Properties of an object, by name. */
export type SchemaProperties = Record<string, SchemaProperty>;

/** Object type or enum in a package schema. */
export interface SchemaDefinition {
  description?: string;
  properties?: SchemaProperties;
  required?: string[];
  enum?: { value: string }[];
}

/** Resource or component in a package schema. */
export interface SchemaResource extends SchemaDefinition {
  inputProperties?: SchemaProperties;
  requiredInputs?: string[];
  isComponent?: boolean;
}

/** Function in a package schema. */
export interface SchemaFunction {
  description?: string;
  inputs?: SchemaDefinition;
  outputs?: SchemaDefinition;
}

/** Parts of a package schema that the reference documents. */
export interface PackageSchema {
  config: { variables: SchemaProperties };
  types: Record<string, SchemaDefinition>;
  resources: Record<string, SchemaResource>;
  functions: Record<string, SchemaFunction>;
}

/** Returns the name of a type, resource, or function without its package. */
export function shortName(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}

/** Python keywords, to which the generator of the SDK appends an underscore. */
const pythonKeywords = new Set(["from", "pass"]);

/** Returns the Python name of a property or function. */
export function pythonName(name: string): string {
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, "_").toLowerCase();
  return pythonKeywords.has(words) ? `${words}_` : words;
}
