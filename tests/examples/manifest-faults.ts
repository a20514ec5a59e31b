import Ajv from "ajv";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ManifestFacts, Structural } from "../../tools/published-facts/custom-resource";
import { readJson } from "../json";

/** A manifest in a file. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  [field: string]: unknown;
}

const facts = globSync(join(__dirname, "facts", "*.json")).map((file) =>
  readJson<ManifestFacts>(readFileSync(file, "utf8")),
);

/**
 * Returns a schema that validates in the same way as a cluster, but rejects unknown fields, which a cluster would
 * silently remove.
 */
function closed({ properties, items, additionalProperties: values, ...schema }: Structural): Structural {
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, closed(part)])),
      ...(!isOpen && { additionalProperties: false }),
    }),
    ...(values !== undefined && {
      additionalProperties: typeof values === "object" ? closed(values) : values,
    }),
  };
}

const metadata = z.strictObject({ name: z.string(), namespace: z.string().optional() });
const group = "rbac.authorization.k8s.io";
const common = { apiVersion: z.literal(`${group}/v1`), kind: z.string(), metadata };
const binding = (role: string) =>
  z.strictObject({
    ...common,
    roleRef: z.strictObject({ apiGroup: z.literal(group), kind: z.literal(role), name: z.string() }),
    subjects: z.array(
      z.strictObject({ kind: z.literal("ServiceAccount"), name: z.string(), namespace: z.string() }),
    ),
  });
const words = z.array(z.string()).min(1);
/** Schemas of the Kubernetes resources that the examples use, reduced to the fields that occur there. */
const ofKubernetes: Record<string, z.ZodType> = {
  ServiceAccount: z.strictObject({ ...common, apiVersion: z.literal("v1") }),
  ClusterRoleBinding: binding("ClusterRole"),
  RoleBinding: binding("Role"),
  Role: z.strictObject({
    ...common,
    rules: z.array(z.strictObject({ apiGroups: words, resources: words, verbs: words })),
  }),
};

const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });

/** Validates a manifest against the schema that its project publishes, and returns the errors. */
export function faultsOf(manifest: Manifest): string[] {
  const known = ofKubernetes[manifest.kind];
  if (known) return issues(known, manifest);
  const { apiVersion, kind } = manifest;
  const found = facts.find((fact) => fact.apiVersion === apiVersion && fact.kind === kind);
  if (!found) return [`nothing is published about ${apiVersion} ${kind}`];
  const schema = closed(found.schema);
  // Published schemas do not describe the metadata, which is validated separately.
  const validate = ajv.compile({ ...schema, properties: { ...schema.properties, metadata: {} } });
  validate(manifest);
  return [
    ...issues(metadata, manifest.metadata),
    ...(validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    ),
  ];
}

function issues(schema: z.ZodType, value: unknown): string[] {
  return schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
}
