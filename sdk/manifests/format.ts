import { z } from "zod";
import { type InsideKind, insideKinds, insideSpecs } from "./inside-format";
import { valueAt } from "./texts";
import { deploymentInputs, sourceRevisionConfigInputs } from "../../provider/deployment/inputs/inputs";

/** Value of `apiVersion` in every manifest. */
const manifestApiVersion = "agentserver/v1";

/** Value of `kind` in the manifest of a deployment. */
const deploymentKind = "Deployment";

/** Path of the manifest's JSON Schema in the package. The path is part of `exports` and must not change. */
export const manifestSchemaPath = "schemas/deployment-manifest.schema.json";

/** Path of the overlay's JSON Schema in the package. */
export const overlaySchemaPath = "schemas/deployment-overlay.schema.json";

/** Returns the path of the JSON Schema of a resource in a deployment, or of its overlay. */
export function insideSchemaPath(kind: InsideKind, form: "manifest" | "overlay" = "manifest"): string {
  return `schemas/${kind.replace(/\B[A-Z]/g, "-$&").toLowerCase()}-${form}.schema.json`;
}

const resourceName = z
  .string()
  .max(255, "must have at most 255 characters")
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    "must begin with a letter or digit and continue with letters, digits, dots, dashes, and underscores",
  )
  .describe(
    "Name of the Pulumi resource, unique in the workspace; also the deployment's name unless spec.name is set. " +
      "A change creates a different resource.",
  );

// The manifest of a deployment cannot specify a connection: anyone can propose a manifest, and the control plane of the
// connection would receive the key that the manifest selects.
const { name: deploymentName, connection: _connection, ...otherInputs } = deploymentInputs.shape;

/** Specification of a deployment in a manifest: the inputs of `Deployment`, and its Pulumi options. */
export const manifestSpec = z.strictObject({
  name: deploymentName.describe(
    "Name of the deployment, unique in its workspace. Default: metadata.name, unless an agent is specified. A change replaces the deployment.",
  ),
  ...otherInputs,
  // The provider computes the hash itself.
  sourceRevisionConfig: sourceRevisionConfigInputs.omit({ contentHash: true }),
  protect: z
    .boolean()
    .optional()
    .describe("True to reject the removal of the manifest instead of deleting the deployment."),
  retain: z
    .boolean()
    .optional()
    .describe("True to keep the deployment on the control plane when the manifest is removed."),
});

const header = {
  apiVersion: z.literal(manifestApiVersion).describe(`Version of the format: ${manifestApiVersion}.`),
  kind: z.literal(deploymentKind).describe("Kind of the declared resource."),
};

/** One document of a manifest file. Strings may contain references: `${secret:NAME}` and `${env:NAME}`. */
export const deploymentManifest = z.strictObject({
  ...header,
  metadata: z.strictObject({ name: resourceName }).describe("Name of the resource."),
  spec: manifestSpec.describe("The inputs of the deployment."),
});

/** One document of an overlay: a JSON merge patch for the spec of the manifest with the same name. */
export const deploymentOverlay = z.strictObject({
  ...header,
  metadata: z
    .strictObject({ name: resourceName })
    .describe("Name of the resource that a manifest declares and this overlay changes."),
  spec: z
    .record(z.string(), z.unknown())
    .describe("Differences in this stack, as a JSON merge patch (RFC 7396); null removes a field."),
});

/** All kinds of manifests. */
export const manifestKinds = [deploymentKind, ...insideKinds] as const;

/** Value of `kind` in a manifest. */
export type ManifestKind = (typeof manifestKinds)[number];

/**
 * Returns the schema for manifests of a kind. For an unknown kind, returns the schema that all kinds have in common.
 */
export function manifestSchema(kind: unknown): z.ZodType {
  if (kind === deploymentKind) return deploymentManifest;
  const inside = insideKinds.find((one) => one === kind);
  if (!inside) return deploymentManifest.extend({ kind: z.enum(manifestKinds) });
  return deploymentManifest.extend({
    kind: z.literal(inside).describe("Kind of the declared resource."),
    spec: insideSpecs[inside].describe("The inputs of the resource."),
  });
}

/** Schema of an overlay of any kind. */
export const manifestOverlay = deploymentOverlay.extend({ kind: z.enum(manifestKinds) });

/** Returns the kind that a document specifies, or `Deployment` if it does not specify a valid kind. */
export function kindOf(value: unknown): ManifestKind {
  return manifestKinds.find((kind) => kind === valueAt(value, ["kind"])) ?? deploymentKind;
}

/** A manifest as written, with unresolved references. */
export type DeploymentManifest = z.infer<typeof deploymentManifest>;

/** Specification of a deployment in a manifest. */
export type ManifestSpec = DeploymentManifest["spec"];

/** Creates the manifest of a deployment with this spec. */
export function manifestOf<Spec>(name: string, spec: Spec) {
  return { apiVersion: manifestApiVersion, kind: deploymentKind, metadata: { name }, spec } as const;
}

/** Creates a manifest of any kind. */
export function manifestOfKind(kind: ManifestKind, name: string, spec: unknown) {
  return { ...manifestOf(name, spec), kind };
}
