/** Effect of a PATCH on one field. Paths are such as `source_config.repo_url`. */
export interface FieldRule {
  /** Source whose deployments have the field; any source if undefined. */
  source?: string;
  /** `changes`: takes effect; `fixed`: cannot be changed; `later`: takes effect with the next revision. */
  patch: "changes" | "fixed" | "later";
  /** True if a value other than null creates a revision, even if it is the current value. */
  revises: boolean;
  /** Effect of null. */
  null: "keeps" | "clears";
  /** True if an empty list counts as a value; only for lists. */
  emptyList?: "a value" | "nothing";
  /** Source of the rule; `open`: not documented and not required by any client. */
  evidence: "documented" | "clients" | "open";
}

/** Rules of a create from a source. */
interface SourceRule {
  required: string[];
  /** Fields that must be missing or null. */
  forbidden: string[];
  /** True if the create creates the first revision. */
  firstRevision: boolean;
}

/** Rules of one dialect, apart from the shapes of its bodies. */
export interface DialectRules {
  fields: Record<string, FieldRule>;
  /** True if an empty `source_revision_config` creates a revision. */
  emptyRevisionConfigRevises: boolean;
  /** Rules by source; `*` is any other source. */
  sources: Record<string, SourceRule>;
  /** Default deployment type. */
  defaultType?: string;
  /** Reserved secret names; a star matches any suffix. */
  reservedSecrets: string[];
  /** Secret names that are only available on self-hosted installations. */
  reservedInTheCloud: string[];
  /** Similar names that are not reserved. */
  freeSecrets: string[];
  /** True if every request requires a workspace in its headers. */
  tenantAlways: boolean;
  /** Statuses of a revision that was replaced by a newer one. */
  superseded: string[];
  /** True if a revision reports the commit to which its branch or tag resolved. */
  resolvesRefs: boolean;
}
