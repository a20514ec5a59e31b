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

/** Shape of a JSON value, without descriptions in prose. */
export interface Shape {
  /** JSON type of the value; omitted if any type is allowed, or if another keyword determines the type. */
  type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  nullable?: true;
  format?: string;
  /** Values that are allowed, sorted. */
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
  /** Name of the schema that describes the value. */
  schema?: string;
  items?: Shape;
  /** Fields of an object, keyed by name, sorted. */
  fields?: Record<string, Field>;
  /** Shape of the values of a map; if there are also `fields`, the shape of all other fields. */
  values?: Shape;
  /** Alternative shapes, one of which must match. */
  oneOf?: Shape[];
  /** Shapes that must all match. */
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
  /** Media type of the body; omitted for JSON. */
  media?: string;
}

/** Response for one status code. It has no `content` if nothing is known about the body. */
export interface Answer {
  /** Content by media type; omitted if there is no body. */
  content?: Record<string, Shape>;
  /** Names of the headers that the document describes. */
  headers?: string[];
}

/** Operation of the API: a method on a path. */
export interface Operation {
  inferred?: true;
  parameters: Parameter[];
  body?: Body;
  /** Responses of the operation, by status. */
  answers: Record<string, Answer>;
}

/** Facts about an API: its description without prose. */
export interface Facts {
  /** Operations of the API, by method and path. */
  operations: Record<string, Operation>;
  /** Schemas of the API, by name. */
  schemas: Record<string, Shape>;
}
