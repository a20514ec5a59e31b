import type {
  CreateDeploymentBody,
  PatchDeploymentBody,
  ResourceTiersBody,
  WireSourceConfig,
  WireSourceRevisionConfig,
} from "../deployment";

/** Name of a dialect, as used in configuration and in state. */
export type DialectName = "interface" | "langsmith";

/** Requirements that a source imposes on the body of a create request, as paths such as `source_config.repo_url`. */
export interface SourceRule {
  required: readonly string[];
  /** Paths of the fields that must be missing or null. */
  forbidden: readonly string[];
  /** True if creating the deployment creates its first revision; otherwise, a later PATCH request does. */
  firstRevision: boolean;
}

/** Constraints on deployment names. */
interface NameRule {
  pattern: RegExp;
  /** Description of the pattern for messages. */
  wording: string;
  /**
   * Maximum length in characters on self-hosted installations, where the names of other resources are derived from the
   * name.
   */
  selfHostedLength: number;
}

/** Differences between control planes that share this API. */
export interface DialectTable {
  name: DialectName;
  /** Name of the field in `source_revision_config` that contains the path of the graph configuration file. */
  graphConfigField: "graph_config_path" | "langgraph_config_path";
  /** Fields that the server accepts in requests, by group. It ignores all other fields. */
  fields: {
    create: readonly (keyof CreateDeploymentBody)[];
    patch: readonly (keyof PatchDeploymentBody)[];
    sourceConfig: readonly (keyof WireSourceConfig)[];
    sourceRevisionConfig: readonly (keyof WireSourceRevisionConfig)[];
    /** Fields of `PATCH …/resource-tiers`; empty if the server does not have this endpoint. */
    resourceTiers: readonly (keyof ResourceTiersBody)[];
  };
  /**
   * Sources that may set a field, keyed by paths such as `source_config.template_id`. Fields that are not listed are
   * valid for all sources.
   */
  fieldSources: Readonly<Record<string, readonly string[]>>;
  /** Fields that a create request must contain. */
  requiredOnCreate: readonly (keyof CreateDeploymentBody)[];
  /** Allowed values of `source`; any string if undefined. */
  sources: readonly string[] | undefined;
  /** Allowed values of `revision_source` in a PATCH request; any string if undefined. */
  revisionSources: readonly string[] | undefined;
  /** Allowed values of `source_config.deployment_type`; any string if undefined. */
  deploymentTypes: readonly string[] | undefined;
  /** Deployment type that the server uses if the request does not specify one. */
  defaultDeploymentType: string | undefined;
  /**
   * Constraints that a name must meet for a rollout to finish. A create request accepts other names as well.
   */
  names: NameRule | undefined;
  /** Rules for create requests, keyed by source; `*` applies to all other sources. */
  sourceRules: Readonly<Record<string, SourceRule>>;
  /** Sources for which the server rejects a create request without a listener if the workspace has any. */
  listenerRequired: readonly string[];
  /** True if the server validates the format of integration and listener IDs. */
  checksReferences: boolean;
  /** Fields of `source_config` that a PATCH request cannot change. */
  fixedSourceConfig: readonly (keyof WireSourceConfig)[];
  /**
   * Fields that a PATCH request changes without creating a revision. The change takes effect with the next revision.
   */
  nextRevisionSourceConfig: readonly (keyof WireSourceConfig)[];
  /** Fields that null clears in a PATCH request. For all other fields, null means "unchanged". */
  clearable: readonly string[];
  /** Effect of an empty list of secrets in a PATCH request. */
  emptySecrets: "clear" | "keep";
  /** Parts of a PATCH request that create a revision. */
  revises: {
    /**
     * Condition under which `source_revision_config` creates a revision. `there`: it is not null; `given`: at least one
     * of its fields is not null.
     */
    sourceRevisionConfig: "there" | "given";
    sourceConfig: readonly (keyof WireSourceConfig)[];
    /** True if a list of secrets creates a revision. An empty list creates one only if it clears the secrets. */
    secrets: boolean;
    others: readonly (keyof PatchDeploymentBody)[];
  };
  /** True if a revision can be rebuilt from the source of an earlier one (`…/redeploy`). */
  redeploys: boolean;
  /** Requests that require `X-Tenant-Id`: all requests, or only those with a key for several workspaces. */
  tenantHeader: "always" | "organization keys";
  /** Statuses of a revision whose rollout ended because it was replaced by a newer revision. */
  supersededStatuses: readonly string[];
  /**
   * True if the record of a built revision contains the commit in `repo_ref` and the branch in
   * `source_config.repo_branch`.
   */
  resolvesRefs: boolean;
  /**
   * True if `POST /v2/auth/authenticate` supports `force_new`, `token_id`, and `is_default`, and does not require a
   * user, and if responses distinguish expired tokens and missing connections from flows that are still pending.
   */
  widerAuthentication: boolean;
  /** True if reading a revision's log requires `type`. */
  logTypeRequired: boolean;
  /** Names that are not allowed for secrets. */
  reservedSecrets: RegExp | undefined;
  /** Names that are not allowed for secrets on the public service, but are allowed on self-hosted installations. */
  reservedInTheCloud: RegExp | undefined;
  /** True if the server rejects `build_on_push` for a tag. */
  refusesPushedTags: boolean;
  /** True if the server validates the numbers in `resource_spec`. */
  checksResourceSpec: boolean;
  /** Values that the server adds to a `resource_spec` for missing keys. */
  resourceSpecDefaults: Readonly<Record<string, unknown>>;
}
