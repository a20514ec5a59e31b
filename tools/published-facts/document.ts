/** Parts of a JSON Schema in an OpenAPI document that facts are extracted from. */
export interface DocumentSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  nullable?: boolean;
  properties?: Record<string, DocumentSchema>;
  required?: string[];
  items?: DocumentSchema;
  additionalProperties?: boolean | DocumentSchema;
  anyOf?: DocumentSchema[];
  oneOf?: DocumentSchema[];
  allOf?: DocumentSchema[];
  default?: unknown;
  "x-inferred"?: unknown;
  [word: string]: unknown;
}

/** Description of an HTTP API in OpenAPI 3.0 or 3.1. */
export interface ApiDocument {
  paths: Record<string, Record<string, DocumentOperation>>;
  components?: { schemas?: Record<string, DocumentSchema>; responses?: Record<string, DocumentResponse> };
}

/** Operation in an API description: a method on a path. */
export interface DocumentOperation {
  parameters?: { name: string; in: string; required?: boolean; schema?: DocumentSchema }[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: DocumentSchema }> };
  responses?: Record<string, DocumentResponse>;
  "x-inferred"?: unknown;
}

/** Description of the response with one status. */
export interface DocumentResponse {
  $ref?: string;
  content?: Record<string, { schema?: DocumentSchema }>;
  headers?: Record<string, unknown>;
}
