type Node = Record<string, unknown>;

/** True if the create request in an OpenAPI document has a body field with this name at any level. */
export function createHasField(apiDescription: unknown, field: string): boolean {
  if (!isNode(apiDescription) || !isNode(apiDescription["paths"])) return false;
  // The paths in a document may include the prefix under which the API is served.
  const path = Object.entries(apiDescription["paths"]).find(([name]) =>
    name.endsWith("/v2/deployments"),
  )?.[1];
  const create = isNode(path) ? path["post"] : undefined;
  return isNode(create) && hasField(create["requestBody"], field, apiDescription, new Set());
}

function hasField(schema: unknown, field: string, document: Node, seen: Set<unknown>): boolean {
  if (!isNode(schema) || seen.has(schema)) return false;
  seen.add(schema);
  if (isNode(schema["properties"]) && Object.hasOwn(schema["properties"], field)) return true;
  const target = typeof schema["$ref"] === "string" ? resolved(schema["$ref"], document) : undefined;
  return [target, ...Object.values(schema)].some((part) => hasField(part, field, document, seen));
}

function resolved(reference: string, document: Node): unknown {
  const [start, ...keys] = reference.split("/");
  if (start !== "#") return undefined;
  return keys.reduce<unknown>((part, key) => (isNode(part) ? part[key] : undefined), document);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}
