/** The words of a shape that limit a value. */
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

/** What a value looks like, without a word about what it means. */
export interface Shape {
  /** Missing where anything goes, and where another word says it. */
  type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  nullable?: true;
  format?: string;
  /** Sorted. */
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
  /** Name among the schemas. */
  schema?: string;
  items?: Shape;
  /** By name, sorted. */
  fields?: Record<string, Field>;
  /** What every value of a map looks like; beside `fields`, what other fields look like. */
  values?: Shape;
  /** One of these. */
  oneOf?: Shape[];
  /** All of these together. */
  allOf?: Shape[];
  /** The names of one of these groups of fields must be there. */
  oneGroupOf?: string[][];
  /** Not in what was published: somebody concluded it from how clients behave. */
  inferred?: true;
}

/** A value of an object. */
export interface Field extends Shape {
  required?: true;
}

/** A value outside of the body. */
export interface Parameter extends Field {
  in: string;
  name: string;
}

/** The body of a request. */
export interface Body extends Field {
  /** Missing where it is JSON. */
  media?: string;
}

/** One status that an operation answers with; without a shape where nothing is known of the body. */
export interface Answer {
  /** By media type; missing where there is no body. */
  content?: Record<string, Shape>;
  /** Names of headers that are described. */
  headers?: string[];
}

/** One method of one path. */
export interface Operation {
  inferred?: true;
  parameters: Parameter[];
  body?: Body;
  /** By status. */
  answers: Record<string, Answer>;
}

/** The facts of an API: what a description says without its prose. */
export interface Facts {
  /** By method and path. */
  operations: Record<string, Operation>;
  /** By name. */
  schemas: Record<string, Shape>;
}
