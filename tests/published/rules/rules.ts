/** What a PATCH does with one field. Paths such as `source_config.repo_url`. */
export interface FieldRule {
  /** A source whose deployments have the field; any will do where it is missing. */
  source?: string;
  /** `changes`: takes effect; `fixed`: cannot be changed; `later`: takes effect with the next revision. */
  patch: "changes" | "fixed" | "later";
  /** Whether a value that is not null makes a revision, even the value that the field has. */
  revises: boolean;
  /** What null does. */
  null: "keeps" | "clears";
  /** Whether an empty list counts as a value; for lists alone. */
  emptyList?: "a value" | "nothing";
  /** Where it is from; `open`: no document says so, and no client relies on it. */
  evidence: "documented" | "clients" | "open";
}

/** What the create of a deployment with a certain source takes. */
interface SourceRule {
  required: string[];
  /** Fields that must be missing or null. */
  forbidden: string[];
  /** Whether the create makes the first revision. */
  firstRevision: boolean;
}

/** What documents and clients say about one dialect beyond the shapes of its bodies. */
export interface DialectRules {
  fields: Record<string, FieldRule>;
  /** Whether an empty `source_revision_config` makes a revision. */
  emptyRevisionConfigRevises: boolean;
  /** By source; `*` is any other. */
  sources: Record<string, SourceRule>;
  /** Type of a deployment that was created without one. */
  defaultType?: string;
  /** Names that no secret may have; a star stands for any end. */
  reservedSecrets: string[];
  /** Names that only installations of somebody's own leave to the agent. */
  reservedInTheCloud: string[];
  /** Names that look alike and may be used. */
  freeSecrets: string[];
  /** Whether every request needs a workspace in its headers. */
  tenantAlways: boolean;
  /** Statuses of a revision that a newer one took the place of. */
  superseded: string[];
  /** Whether a revision shows the commit that its branch or tag stood for. */
  resolvesRefs: boolean;
}
