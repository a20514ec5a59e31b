/** Arguments of a `Workspace`. */
export interface WorkspaceArgs {
  /**
   * Folder that contains the manifests, relative to the project's folder: all `.yaml` and `.yml` files in it and its
   * subfolders, except `overlays`. A missing folder is an error, so that a wrong path does not delete every deployment.
   */
  manifests: string;
  /**
   * Folder that contains this stack's overlays, relative to the project's folder. A folder that is specified must
   * exist. @default `<manifests>/overlays/<stack>` if it exists
   */
  overlays?: string;
  /**
   * Environment variables that manifests may read with `${env:NAME}`; their values are secret. Variables that contain
   * credentials, such as `AGENTSERVER_*`, `PULUMI_*` and `AWS_*`, are not allowed. @default none
   */
  environmentVariables?: readonly string[];
  /**
   * Names of configuration keys and environment variables that `connection.apiKeyFrom` in a manifest may specify. The
   * provider sends the key to the address in the manifest, so list only keys of these agent servers. @default none
   */
  connectionKeys?: readonly string[];
  /** True if the manifests may declare no deployments, which deletes all deployments declared before. @default false */
  allowEmpty?: boolean;
}
