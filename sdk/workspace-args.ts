/** Where a `Workspace` finds what it declares. */
export interface WorkspaceArgs {
  /**
   * Folder with the manifests, from the project's folder: all `.yaml` and `.yml` files in it and below it, without
   * `overlays`. One that is not there is an error, since a wrong path must not delete every deployment.
   */
  manifests: string;
  /**
   * Folder with this stack's overlays, from the project's folder. One that is given must be there.
   * @default `<manifests>/overlays/<stack>`, where it exists
   */
  overlays?: string;
  /**
   * Environment variables that manifests may read with `${env:NAME}`; their values are secret. Variables that hold
   * credentials, such as `AGENTSERVER_*`, `PULUMI_*` and `AWS_*`, cannot be listed.
   * @default none
   */
  environmentVariables?: readonly string[];
  /**
   * Names of configuration keys and environment variables that `connection.apiKeyFrom` in a manifest may specify. The
   * provider sends the key to the address that the manifest specifies, so list only keys of such agent servers.
   * @default none
   */
  connectionKeys?: readonly string[];
  /** Whether the manifests may declare no deployment at all, which deletes those that were there. @default false */
  allowEmpty?: boolean;
}
