import type {
  CreateDeploymentBody,
  PatchDeploymentBody,
  ResourceTiersBody,
  WireSourceConfig,
  WireSourceRevisionConfig,
} from "../deployment";

/** Name of a dialect, as it stands in configuration and in state. */
export type DialectName = "interface" | "langsmith";

/** What a source needs in the body of a create; paths such as `source_config.repo_url`. */
export interface SourceRule {
  required: readonly string[];
  /** Fields that must be missing or null. */
  forbidden: readonly string[];
  /** Whether creating the deployment makes its first revision; otherwise a later PATCH does. */
  firstRevision: boolean;
}

/** What a name of a deployment has to be like. */
interface NameRule {
  pattern: RegExp;
  /** The pattern in words. */
  wording: string;
  /** Longest name in a self-hosted installation, in characters: resources that are named after it bound it. */
  selfHostedLength: number;
}

/** Everything in which control planes of this shape differ. */
export interface DialectTable {
  name: DialectName;
  /** How the path of the graph configuration file is called in `source_revision_config`. */
  graphConfigField: "graph_config_path" | "langgraph_config_path";
  /** Fields of each group, as requests may carry them. Others are ignored. */
  fields: {
    create: readonly (keyof CreateDeploymentBody)[];
    patch: readonly (keyof PatchDeploymentBody)[];
    sourceConfig: readonly (keyof WireSourceConfig)[];
    sourceRevisionConfig: readonly (keyof WireSourceRevisionConfig)[];
    /** Fields of `PATCH …/resource-tiers`; none where there is no such endpoint. */
    resourceTiers: readonly (keyof ResourceTiersBody)[];
  };
  /** Sources of which a deployment may have a field; paths such as `source_config.template_id`. Others are for any. */
  fieldSources: Readonly<Record<string, readonly string[]>>;
  /** Fields of a create that are refused as missing. */
  requiredOnCreate: readonly (keyof CreateDeploymentBody)[];
  /** Values of `source`; any text where there are none. */
  sources: readonly string[] | undefined;
  /** Values of `revision_source` in a PATCH; any text where there are none. */
  revisionSources: readonly string[] | undefined;
  /** Values of `source_config.deployment_type`; any text where there are none. */
  deploymentTypes: readonly string[] | undefined;
  /** The type of a deployment that was created without one. */
  defaultDeploymentType: string | undefined;
  /** What names of deployments have to be like for their rollouts to come to an end; a create takes others too. */
  names: NameRule | undefined;
  /** Rules of a create by its source; the source `*` stands for all others. */
  sourceRules: Readonly<Record<string, SourceRule>>;
  /** Sources that must name a listener where their workspace has any. */
  listenerRequired: readonly string[];
  /** Sources of which a deployment must name one of its workspace's listeners, if there are any. */
  listenerSources: readonly string[];
  /** Whether what names integrations and listeners has to look like it. */
  checksReferences: boolean;
  /** Fields of `source_config` that no PATCH changes. */
  fixedSourceConfig: readonly (keyof WireSourceConfig)[];
  /** Fields that a PATCH changes without a revision, and that only the next revision is made from. */
  nextRevisionSourceConfig: readonly (keyof WireSourceConfig)[];
  /** Fields that a null in a PATCH empties; in all others null means "unchanged". */
  clearable: readonly string[];
  /** What an empty list of secrets in a PATCH does. */
  emptySecrets: "clear" | "keep";
  /** What in a PATCH makes a revision. */
  revises: {
    /** `source_revision_config`: being there is enough, or one of its fields must not be null. */
    sourceRevisionConfig: "there" | "given";
    sourceConfig: readonly (keyof WireSourceConfig)[];
    /** Whether a list of secrets does; an empty one only where that clears them. */
    secrets: boolean;
    others: readonly (keyof PatchDeploymentBody)[];
  };
  /** Whether a revision can be made of what an earlier one was built from (`…/redeploy`). */
  redeploys: boolean;
  /** Whether every request needs `X-Tenant-Id`, or only one with a key that reaches several workspaces. */
  tenantHeader: "always" | "organization keys";
  /** Status words of a revision that end its rollout because a newer one took its place. */
  supersededStatuses: readonly string[];
  /** Whether a built revision shows the commit in `repo_ref`, and the branch in `source_config.repo_branch`. */
  resolvesRefs: boolean;
  /**
   * Whether authenticate knows `force_new`, `token_id` and `is_default`, needs no user, and distinguishes tokens that have run
   * out and connections that are missing from what is pending.
   */
  widerAuthentication: boolean;
  /** Whether `type` must be given to read a revision's log. */
  logTypeRequired: boolean;
  /** Names that no secret may have. */
  reservedSecrets: RegExp | undefined;
  /** Names that no secret may have at the service itself; installations of somebody's own take them. */
  reservedInTheCloud: RegExp | undefined;
  /** Whether a tag cannot be built on push. */
  refusesPushedTags: boolean;
  /** Whether the numbers of `resource_spec` are checked. */
  checksResourceSpec: boolean;
  /** Values that a server fills in for keys that a `resource_spec` does not have. */
  resourceSpecDefaults: Readonly<Record<string, unknown>>;
}
