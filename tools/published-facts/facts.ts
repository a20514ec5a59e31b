/** Keywords in a shape that constrain a value. */
export const bounds = [
  "pattern",
  "minimum",
  "maximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "maxProperties",
] as const;

/** Shape of a value, without prose. */
export interface Shape {
  /** Omitted if any value is allowed, or if another keyword determines the type. */
  type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  nullable?: true;
  format?: string;
  /** Allowed values, sorted. */
  enum?: (string | number | boolean)[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  default?: unknown;
  /** Name of a schema. */
  schema?: string;
  items?: Shape;
  /** Fields, keyed by name, sorted. */
  fields?: Record<string, Field>;
  /** Shape of the values of a map; if there are also `fields`, the shape of all other fields. */
  values?: Shape;
  /** Alternatives, one of which must match. */
  oneOf?: Shape[];
  /** Shapes, all of which must match. */
  allOf?: Shape[];
  /** Groups of field names. The fields of at least one group are required. */
  oneGroupOf?: string[][];
  /** True if the fact is not in the published document but was inferred from the behavior of clients. */
  inferred?: true;
}

/** Field of an object. */
export interface Field extends Shape {
  required?: true;
}

/** Value outside the body of a request. */
export interface Parameter extends Field {
  in: string;
  name: string;
}

/** Body of a request. */
export interface Body extends Field {
  /** Media type; omitted for JSON. */
  media?: string;
}

/** Response for one status code. It has no shape if nothing is known about the body. */
export interface Answer {
  /** Content by media type; omitted if there is no body. */
  content?: Record<string, Shape>;
  /** Names of the described headers. */
  headers?: string[];
}

/** Method on a path. */
export interface Operation {
  inferred?: true;
  parameters: Parameter[];
  body?: Body;
  /** Responses by status. */
  answers: Record<string, Answer>;
}

/** Facts about an API: its description without prose. */
export interface Facts {
  /** Operations by method and path. */
  operations: Record<string, Operation>;
  /** Schemas by name. */
  schemas: Record<string, Shape>;
}
