/** A definition of a kind of Kubernetes resource, as far as facts are taken from it. */
export interface CustomResourceDefinition {
  kind: "CustomResourceDefinition";
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; storage: boolean; schema: { openAPIV3Schema: Structural } }[];
  };
}

/** A structural schema: https://kubernetes.io/docs, "Specifying a structural schema". */
export interface Structural {
  properties?: Record<string, Structural>;
  items?: Structural;
  additionalProperties?: boolean | Structural;
  [word: string]: unknown;
}

/** What manifests of a kind may say. */
export interface ManifestFacts {
  kind: string;
  apiVersion: string;
  schema: Structural;
}

/** The facts of a definition: the schema of what people write in its current version, without the prose. */
export function manifestFactsOf({
  spec: { group, names, versions },
}: CustomResourceDefinition): ManifestFacts {
  const { name, schema } = versions.find(({ storage }) => storage)!;
  return { kind: names.kind, apiVersion: `${group}/${name}`, schema: written(schema.openAPIV3Schema) };
}

/** Without what the controllers write, and what no manifest has to say. */
function written({ properties = {}, ...schema }: Structural): Structural {
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
