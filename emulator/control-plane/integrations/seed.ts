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

/** An integration that exists without the app being installed. */
export interface IntegrationSeed {
  /** @default generated once and then kept */
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
   * Folder of git repositories, bare or not, as `<name>` or `<owner>/<name>`. It is read each time the repositories are
   * listed.
   */
  folder?: string;
}
