import type { IntegrationKind } from "../store/integrations";

/** A repository to which a seeded integration has access. */
export interface RepositorySeed {
  name: string;
  /** @default the integration's name */
  owner?: string;
  /** URL that deployments send as `repo_url`. */
  url: string;
  /** @default "main" */
  defaultBranch?: string;
}

/** An integration that exists without an installation. */
export interface IntegrationSeed {
  /** @default created once and kept */
  id?: string;
  /** Name of the account, unique per kind in a workspace. */
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
