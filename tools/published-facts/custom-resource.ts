/** Parts of a Kubernetes CustomResourceDefinition that facts are extracted from. */
export interface CustomResourceDefinition {
  kind: "CustomResourceDefinition";
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; storage: boolean; schema: { openAPIV3Schema: Structural } }[];
  };
}

/** Structural schema; see "Specifying a structural schema" in https://kubernetes.io/docs. */
export interface Structural {
  properties?: Record<string, Structural>;
  items?: Structural;
  additionalProperties?: boolean | Structural;
  [word: string]: unknown;
}

/** Facts about the manifests of a kind. */
export interface ManifestFacts {
  kind: string;
  apiVersion: string;
  schema: Structural;
}

/** Extracts the manifest schema from the current version of a definition, without prose. */
export function extractManifestFacts({
  spec: { group, names, versions },
}: CustomResourceDefinition): ManifestFacts {
  const { name, schema } = versions.find(({ storage }) => storage)!;
  return {
    kind: names.kind,
    apiVersion: `${group}/${name}`,
    schema: withoutControllerFields(schema.openAPIV3Schema),
  };
}

/** Removes fields that only controllers write. */
function withoutControllerFields({ properties = {}, ...schema }: Structural): Structural {
  const { status: _status, operation: _operation, ...own } = properties;
  return withoutProse({ ...schema, properties: own });
}

function withoutProse({ description: _description, properties, items, ...schema }: Structural): Structural {
  const { additionalProperties: values } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, withoutProse(property)]),
      ),
    }),
    ...(items && { items: withoutProse(items) }),
    ...(typeof values === "object" && { additionalProperties: withoutProse(values) }),
  };
}
