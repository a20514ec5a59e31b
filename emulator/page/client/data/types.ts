/** Environment variable: its name and, unless it is secret, its value. */
interface Variable {
  name: string;
  value: string;
}

type Settings = Record<string, unknown>;

/** Settings from which a revision is built. */
interface RevisionSettings extends Settings {
  repo_ref?: string | null;
  repo_commit_sha?: string | null;
  image_uri?: string | null;
  graph_config_path?: string | null;
  source_tarball_path?: string | null;
}

/** Revision, as the web console receives it. */
export interface Revision {
  id: string;
  status: string;
  status_message?: string | null;
  created_at: string;
  updated_at: string;
  source?: string | null;
  source_config?: Settings | null;
  source_revision_config?: RevisionSettings | null;
  statuses?: { status: string; at: string }[];
  runtime?: string | null;
  secrets?: Variable[];
  variables?: Variable[];
}

/** Deployment, as the web console receives it. */
export interface Deployment {
  id: string;
  name: string;
  agent?: { agent_id: string; environment: string } | null;
  display_name?: string | null;
  secret_references?: { name: string; secret_name: string; secret_key: string }[] | null;
  shareable?: boolean | null;
  route_through_gateway?: boolean | null;
  compute_tier?: string | null;
  database_tier?: string | null;
  /** Tracked branch. Only the response for a single deployment contains it. */
  tracked_repo_ref?: string | null;
  status: string;
  url?: string | null;
  source: string;
  source_config: Settings & { repo_url?: string | null; deployment_type?: string | null };
  source_revision_config: RevisionSettings;
  active_revision_id?: string | null;
  latest_revision_id?: string | null;
  created_at: string;
  updated_at: string;
  secrets: Variable[];
  variables: Variable[];
  owner?: string;
  /** Newest revision, if the web console has read it. */
  latest?: Revision;
}

/** Line of a log. */
export interface LogEntry {
  id: string;
  timestamp: string;
  level: string;
  message: string;
}

/** Recorded request of a client. */
export interface JournalEntry {
  sequence: number;
  time: string;
  method: string;
  path: string;
  query: Record<string, string>;
  status: number;
  body?: unknown;
  fault?: string;
  unknownFields: string[];
}

/** Facts about the control plane that are available before sign-in. */
export interface Facts {
  now: string;
  baseUrl: string;
  dialect: string;
  admin: { served: boolean; ownKey: boolean; open: boolean };
  steerable: boolean;
  virtualTime: boolean;
}

/** Credentials of the signed-in user. */
export interface Session {
  apiKey: string;
  tenantId: string;
  adminKey?: string;
}
