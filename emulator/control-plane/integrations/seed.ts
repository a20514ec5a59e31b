import type { IntegrationKind } from "../store/integrations";

/** A repository that a seeded integration reaches. */
export interface RepositorySeed {
  name: string;
  /** @default the integration's name */
  owner?: string;
  /** URL that deployments send as `repo_url`. */
  url: string;
  /** @default "main" */
  defaultBranch?: string;
}

/** An integration that is there without anybody having installed anything. */
export interface IntegrationSeed {
  /** @default made once and kept */
  id?: string;
  /** Name of the account; one of its kind in a workspace. */
  name: string;
  /** @default "github" */
  kind?: IntegrationKind;
  /** @default the first workspace of the first organization */
  tenantId?: string;
  /** @default the next one */
  installationId?: number;
  repositories?: RepositorySeed[];
  /** Folder of git repositories, bare or not, as `<name>` or `<owner>/<name>`; read whenever they are listed. */
  folder?: string;
}
