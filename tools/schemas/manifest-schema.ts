import { join } from "node:path";
import { z } from "zod";
import { duration } from "../../provider/text/duration";
import {
  deploymentManifest,
  deploymentOverlay,
  insideSchemaPath,
  manifestSchema,
  manifestSchemaPath,
  manifestSpec,
  overlaySchemaPath,
} from "../../sdk/manifests/format";
import { insideKinds, insideSpecs, type InsideKind } from "../../sdk/manifests/inside-format";
import { repositoryRoot } from "../repository";
import { type FieldComment, fieldComments } from "./doc-comments";

/** JSON Schema, or a part of one. */
export interface JsonSchema {
  [word: string]: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
}

const reference = { type: "string" as const, pattern: "\\$\\{(secret|env):[^{}]+\\}" };

/** Returns the JSON Schemas of manifests and overlays, keyed by path. */
export function manifestSchemas(): Record<string, JsonSchema> {
  const file = join(repositoryRoot, "sdk", "deployment-args.ts");
  const comments = fieldComments(file, "NamedArgs", "AgentDeploymentArgs", "DeploymentSettings");
  const spec = addDescriptions(generateSchema(manifestSpec), comments);
  return {
    [manifestSchemaPath]: withSpec(deploymentManifest, "Deployment manifest", spec),
    [overlaySchemaPath]: withSpec(deploymentOverlay, "Overlay of a deployment manifest", patchOf(spec)),
    ...insideSchemas(),
  };
}

/** Interfaces whose doc comments describe the resources in a deployment, by kind. */
const insideArguments: Record<InsideKind, [file: string, ...interfaces: string[]]> = {
  Assistant: ["assistant.ts", "AssistantArgs"],
  Cron: ["cron.ts", "CronArgs"],
  StoreItems: ["store-items.ts", "StoreItemsArgs"],
};

/** Returns the schemas of the manifest and the overlay for each kind of resource in a deployment, keyed by path. */
function insideSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    insideKinds.flatMap((kind) => {
      const [file, ...interfaces] = insideArguments[kind];
      const comments = fieldComments(join(repositoryRoot, "sdk", "agent-server", file), ...interfaces);
      const spec = addDescriptions(generateSchema(insideSpecs[kind]), comments);
      const overlay = deploymentOverlay.extend({ kind: z.literal(kind).describe("Kind of the resource.") });
      return [
        [insideSchemaPath(kind), withSpec(manifestSchema(kind), `${kind} manifest`, spec)],
        [
          insideSchemaPath(kind, "overlay"),
          withSpec(overlay, `Overlay of a manifest of the kind ${kind}`, patchOf(spec)),
        ],
      ];
    }),
  );
}

function withSpec(schema: z.ZodType, title: string, spec: JsonSchema): JsonSchema {
  const whole = generateSchema(schema);
  const description = whole.properties!["spec"]!["description"];
  const { $schema, ...rest } = whole;
  const properties = { ...whole.properties, spec: { description, ...spec } };
  return { $schema, title, ...rest, properties };
}

/**
 * Generates a schema. Enums and patterns also accept references, because editors cannot know the values of references.
 */
function generateSchema(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === duration) jsonSchema.pattern = durationPattern;
      if (zodSchema !== duration && !(jsonSchema.type === "string" && jsonSchema.enum)) return;
      const { type, enum: choices, pattern } = jsonSchema;
      for (const word of ["type", "enum", "pattern"] as const) delete jsonSchema[word];
      jsonSchema.anyOf = [{ type, ...(choices ? { enum: choices } : { pattern }) }, { ...reference }];
    },
  }) as JsonSchema;
  const secrets = json.properties?.["secrets"];
  if (secrets) secrets["additionalProperties"] = secretValue;
  return json;
}

const durationPattern = "^(?=.)(\\d+h)?(\\d+m(?!s))?(\\d+s)?(\\d+ms)?$";

const secretValue = {
  ...reference,
  description:
    "A reference, never the value: ${secret:NAME} for the value of `pulumi config set --secret NAME`.",
};

/** Adds descriptions and defaults from doc comments. Those in the schema take precedence. */
function addDescriptions(
  schema: JsonSchema,
  comments: Map<string, FieldComment>,
  path: string[] = [],
): JsonSchema {
  const comment = comments.get(path.join("."));
  const documentation = comment && { description: comment.text, default: comment.default };
  const { $schema: _, ...rest } = schema;
  return JSON.parse(
    JSON.stringify({
      ...documentation,
      ...rest,
      properties: fieldsOf(schema, (field, name) => addDescriptions(field, comments, [...path, name])),
      anyOf: schema.anyOf?.map((choice) => withFields(choice, comments, path)),
    }),
  ) as JsonSchema;
}

function withFields(choice: JsonSchema, comments: Map<string, FieldComment>, path: string[]): JsonSchema {
  const properties = fieldsOf(choice, (field, name) => addDescriptions(field, comments, [...path, name]));
  return properties ? { ...choice, properties } : choice;
}

/** Returns the schema for a merge patch: no field is required, and null removes a field. */
function patchOf(schema: JsonSchema): JsonSchema {
  const { required: _, ...rest } = schema;
  const properties = fieldsOf(schema, (field) => {
    const { description, default: _default, ...inside } = patchOf(field);
    return { description, anyOf: [inside, { type: "null" }] };
  });
  const anyOf = schema.anyOf?.map(patchOf);
  return {
    ...rest,
    ...(properties && { properties }),
    ...(anyOf && { anyOf }),
    ...("additionalProperties" in schema && { additionalProperties: entryPatch(schema) }),
  };
}

/**
 * Returns the schema for the entries of a map in a merge patch. Entries with constrained keys can be removed with null.
 */
function entryPatch({ propertyNames, additionalProperties }: JsonSchema): unknown {
  return propertyNames ? { anyOf: [additionalProperties, { type: "null" }] } : additionalProperties;
}

function fieldsOf(
  schema: JsonSchema,
  change: (field: JsonSchema, name: string) => JsonSchema,
): Record<string, JsonSchema> | undefined {
  if (!schema.properties) return undefined;
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, change(field, name)]),
  );
}
