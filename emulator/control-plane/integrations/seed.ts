import type { IntegrationKind } from "../store/integrations";

/** A repository that a seeded integration has access to. */
export interface RepositorySeed {
  name: string;
  /** @default the name of the integration */
  owner?: string;
  /** URL that deployments send as `repo_url`. */
  url: string;
  /** @default "main" */
  defaultBranch?: string;
}

/** An integration that exists even though the app has not been installed. */
export interface IntegrationSeed {
  /** @default an ID that is generated once and does not change */
  id?: string;
  /** Name of the account, unique per kind in a workspace. */
  name: string;
  /** @default "github" */
  kind?: IntegrationKind;
  /** @default the first workspace of the first organization */
  tenantId?: string;
  /** @default the next unused ID */
  installationId?: number;
  repositories?: RepositorySeed[];
  /**
   * Folder of git repositories, bare or not, as `<name>` or `<owner>/<name>`. The folder is read each time repositories
   * are listed.
   */
  folder?: string;
}
