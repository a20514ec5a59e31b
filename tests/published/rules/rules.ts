/** Effect of a PATCH request on one field, which is specified by a path such as `source_config.repo_url`. */
export interface FieldRule {
  /** Source whose deployments have the field. If undefined, all sources have it. */
  source?: string;
  /**
   * Effect on the field: `changes` takes effect immediately, `fixed` cannot be changed, `later` takes effect with the
   * next revision.
   */
  patch: "changes" | "fixed" | "later";
  /** True if a value other than null creates a revision, even if it is the current value. */
  revises: boolean;
  /** Effect of a null value. */
  null: "keeps" | "clears";
  /** Treatment of an empty list. Specified only for fields that contain lists. */
  emptyList?: "a value" | "nothing";
  /** Source of the rule; `open` means that the rule is not documented and that no client depends on it. */
  evidence: "documented" | "clients" | "open";
}

/** Rules for creating a deployment from a source. */
interface SourceRule {
  required: string[];
  /** Fields that must be missing or null. */
  forbidden: string[];
  /** True if the create request also creates the first revision. */
  firstRevision: boolean;
}

/** Rules of one dialect, except for the shapes of its bodies. */
export interface DialectRules {
  fields: Record<string, FieldRule>;
  /** True if an empty `source_revision_config` creates a revision. */
  emptyRevisionConfigRevises: boolean;
  /** Rules by source; `*` stands for any other source. */
  sources: Record<string, SourceRule>;
  /** Default deployment type. */
  defaultType?: string;
  /** Reserved secret names; a star matches any suffix. */
  reservedSecrets: string[];
  /** Secret names that are only available on self-hosted installations. */
  reservedInTheCloud: string[];
  /** Names that resemble reserved secret names but are not reserved. */
  freeSecrets: string[];
  /** True if every request requires a workspace in its headers. */
  tenantAlways: boolean;
  /** Statuses of a revision that has been replaced by a newer one. */
  superseded: string[];
  /** True if a revision reports the commit that its branch or tag resolved to. */
  resolvesRefs: boolean;
}
