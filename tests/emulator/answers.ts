/** Response fields of a control plane and its agent servers that the tests read, with the names from the API. */

export interface Deployment {
  id: string;
  name: string;
  url: string | null;
  status: string;
  latest_revision_id: string;
  active_revision_id: string | null;
  source_config: Record<string, unknown>;
  source_revision_config: Record<string, unknown>;
  secrets: { name: string; value: string }[];
  updated_at: string;
}

export interface Revision {
  id: string;
  status: string;
  status_message: string | null;
  source_revision_config: { repo_ref: string; repo_commit_sha: string | null };
}

export interface LogPage {
  logs: { message: string }[];
  next_offset: string | null;
}

/** A page of a list, with the cursor of the next page. */
export interface CursorPage<Item> {
  items: Item[];
  next_cursor: string | null;
}

export interface Listener {
  id: string;
  version: string;
  compute_id: string;
  compute_config: Record<string, unknown>;
  updated_at: string;
}

/** A page of a list of resources. */
export interface Resources<Row> {
  resources: Row[];
  offset: number;
}

/** An error response: a message, or a list of invalid fields. */
export interface Refused<Detail = string> {
  detail: Detail;
}

/** Validation error for a field of a request. */
export interface FieldFault {
  loc: (string | number)[];
  msg: string;
  type: string;
}

export interface Authentication {
  status: string;
  auth_id: string;
  url: string;
  token: string | null;
}

export interface Token {
  id: string;
  is_default: boolean;
  expires_at: string | null;
  provider_account_label: string | null;
}

/** An agent's connection to a token. */
export interface Connection {
  id: string;
  oauth_token_id: string;
}

/** An integration, or one of its repositories. */
export interface Named {
  id: string;
  name: string;
}

export interface InstallationLink {
  install_url: string;
  oauth_reuse_url: string | null;
}

/** An OpenAPI document. */
export interface ApiDocument {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, { security: object[]; responses: object }>>;
  components: { schemas: Record<string, ApiSchema>; securitySchemes: object };
}

interface ApiSchema {
  required: string[];
  properties: Record<string, { enum?: string[] }>;
}

/** State of a thread that stores messages. */
export interface Values {
  messages: { content: string }[];
}

export interface Thread {
  thread_id: string;
  status: string;
  metadata: object;
  ttl: { expires_at: string };
  values?: Partial<Values>;
  extracted: object;
}

export interface ThreadState {
  values: Values;
}

export interface Run {
  run_id: string;
  status: string;
  metadata: object;
  kwargs: object;
}

export interface Cron {
  cron_id: string;
  schedule: string;
  payload: Record<string, unknown>;
  end_time: string | null;
  next_run_date: string | null;
}

export interface Assistant {
  assistant_id: string;
  name: string;
}

export interface StoreItem {
  key: string;
  value: Record<string, unknown>;
}
