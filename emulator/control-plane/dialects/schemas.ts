import { z } from "@hono/zod-openapi";
import {
  checkedResourceSpec,
  createDeploymentBody,
  createRevisionBody,
  deploymentRecord,
  type DialectTable,
  patchDeploymentBody,
  revisionRecord,
  wireAgent,
  wireSecret,
  wireSecretReference,
  wireSourceConfig,
  wireSourceRevisionConfig,
} from "../../../wire";

/** Bodies and responses of one dialect, keyed by their names in the published OpenAPI document. */
export type DialectSchemas = ReturnType<typeof buildSchemas>;

const built = new Map<DialectTable, DialectSchemas>();

/** Returns the schemas of a dialect, which are used both for validation and for the OpenAPI document. */
export function schemasOf(dialect: DialectTable): DialectSchemas {
  const known = built.get(dialect);
  if (known) return known;
  const schemas = buildSchemas(dialect);
  built.set(dialect, schemas);
  return schemas;
}

/** Fields that refer to integrations and listeners, in dialects that validate their format. */
const references = {
  integration_id: z.guid().nullish(),
  listener_id: z.guid().nullish(),
  listener_config: z.looseObject({ k8s_namespace: z.string().nullish() }).nullish(),
};

function buildSchemas(dialect: DialectTable) {
  const { fields } = dialect;
  // Schemas of the provider are copied with `extend` before they are named, so that the originals do not change.
  const secret = wireSecret.extend({}).openapi("Secret");
  const secretReferences = z.array(wireSecretReference.extend({}).openapi("SecretReference"));
  const source = oneOf(dialect.sources, z.string().min(1));
  const sourceConfig = only(wireSourceConfig, fields.sourceConfig)
    .extend({
      ...(dialect.deploymentTypes && {
        deployment_type: oneOf(dialect.deploymentTypes, z.string()).nullish(),
      }),
      ...(dialect.checksReferences && references),
      ...(dialect.checksResourceSpec && {
        resource_spec:
          checkedResourceSpec.nullish() as unknown as typeof wireSourceConfig.shape.resource_spec,
      }),
    })
    .openapi("SourceConfig") as unknown as typeof wireSourceConfig;
  const revisionConfig = only(wireSourceRevisionConfig, fields.sourceRevisionConfig).openapi(
    "SourceRevisionConfig",
  );
  const groups = { source_config: sourceConfig.nullish(), source_revision_config: revisionConfig.nullish() };
  const lists = { secrets: z.array(secret).nullish(), secret_references: secretReferences.nullish() };

  const create = createDeploymentBody.extend({
    ...lists,
    ...(fields.create.includes("agent")
      ? { agent: wireAgent.extend({}).openapi("DeploymentAgent").nullish() }
      : { name: z.string().min(1) as never }),
    source,
    source_config: sourceConfig,
    source_revision_config: revisionConfig,
    shareable: z.boolean().default(false),
    route_through_gateway: z.boolean().default(false),
    ...(dialect.requiredOnCreate.includes("secrets") && { secrets: z.array(secret) as never }),
  });
  const patch = patchDeploymentBody.extend({
    ...groups,
    ...lists,
    source: source.nullish(),
    revision_source: oneOf(dialect.revisionSources, z.string()).nullish(),
  });
  const shownRevisionConfig = revisionConfig.extend({ repo_commit_sha: z.string().nullable() });
  const builtRevisionConfig = shownRevisionConfig.openapi("BuiltSourceRevisionConfig");
  const deployment = deploymentRecord
    .extend({
      source_config: sourceConfig.extend({ repo_branch: z.string().nullish() }).openapi("ToldSourceConfig"),
      source_revision_config: builtRevisionConfig,
      secrets: z.array(secret),
      secret_references: secretReferences.nullable(),
      shareable: z.boolean(),
      route_through_gateway: z.boolean(),
      tracer_session_id: z.string().nullable(),
      image_version: z.string().nullable(),
      is_preview: z.boolean(),
      is_managed_deep_agent: z.boolean(),
      deployment_tier: z.string().nullable(),
      compute_tier: z.string().nullable(),
      database_tier: z.string().nullable(),
      agent: z.object({ agent_id: z.string(), environment: z.string() }).nullable(),
    })
    .openapi("Deployment");
  const revision = revisionRecord
    .extend({ source_revision_config: builtRevisionConfig.nullish() })
    .openapi("Revision");
  return {
    createBody: namedOnce(only(create, fields.create), dialect).openapi("DeploymentCreateRequest"),
    patchBody: only(patch, fields.patch).openapi("DeploymentPatchRequest"),
    createRevisionBody: createRevisionBody
      .extend({ ...groups, ...lists })
      .openapi("DeploymentRevisionCreateRequest"),
    deployment,
    revision,
    deployments: page(deployment).openapi("DeploymentsList"),
    revisions: page(revision).openapi("RevisionsList"),
  };
}

/** Requires a deployment to have either a name or, if the dialect supports agents, an agent and an environment. */
function namedOnce<Body extends z.ZodType>(body: Body, { fields }: DialectTable): Body {
  if (!fields.create.includes("agent")) return body;
  return (body as unknown as typeof createDeploymentBody)
    .refine(({ name, agent }) => name != null || agent != null, { path: ["name"], ...ofAnyObject })
    .refine(({ name, agent }) => name == null || agent == null, {
      path: ["agent"],
      error: "Specify either 'name' or 'agent', not both",
      ...ofAnyObject,
    }) as unknown as Body;
}

/**
 * Options of a check that runs even if other parts of an object are invalid, so that all errors are reported together.
 */
const ofAnyObject = { when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null };

function page<Row extends z.ZodType>(row: Row) {
  return z.object({ resources: z.array(row), offset: z.number().int() });
}

/**
 * Returns the schema with only some of its fields. The type is that of the complete schema, because the selection of
 * fields depends on the dialect.
 */
function only<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, fields: readonly (keyof Shape)[]) {
  const shape = Object.fromEntries(fields.map((field) => [field, schema.shape[field]]));
  return z.object(shape) as unknown as z.ZodObject<Shape>;
}

function oneOf(values: readonly string[] | undefined, otherwise: z.ZodString): z.ZodString {
  return values ? (z.enum(values as [string, ...string[]]) as unknown as z.ZodString) : otherwise;
}
