import type { IntegrationKind } from "../store/integrations";

/** A repository that a seeded integration has access to. */
export interface RepositorySeed {
  name: string;
  /**
   * Owner of the repository.
   * @default the name of the integration
   */
  owner?: string;
  /** URL of the repository that deployments send as `repo_url`. */
  url: string;
  /**
   * Default branch of the repository.
   * @default "main"
   */
  defaultBranch?: string;
}

/** An integration that exists even though the app has not been installed. */
export interface IntegrationSeed {
  /**
   * ID of the integration.
   * @default an ID that is generated once and does not change
   */
  id?: string;
  /** Name of the account, unique per kind in a workspace. */
  name: string;
  /**
   * App that the integration belongs to.
   * @default "github"
   */
  kind?: IntegrationKind;
  /**
   * ID of the workspace.
   * @default the first workspace of the first organization
   */
  tenantId?: string;
  /**
   * ID of the app's installation.
   * @default the next unused ID
   */
  installationId?: number;
  repositories?: RepositorySeed[];
  /**
   * Folder of git repositories, bare or not, as `<name>` or `<owner>/<name>`. The folder is read each time repositories
   * are listed.
   */
  folder?: string;
}
