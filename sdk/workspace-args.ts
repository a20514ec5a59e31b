/** Arguments of a `Workspace`. */
export interface WorkspaceArgs {
  /**
   * Folder that contains the manifests, relative to the project's folder: all `.yaml` and `.yml` files in it and its
   * subfolders, except `overlays`. A missing folder is an error, because a wrong path would otherwise delete every
   * deployment.
   */
  manifests: string;
  /**
   * Folder that contains this stack's overlays, relative to the project's folder. If specified, the folder must exist.
   * @default `<manifests>/overlays/<stack>` if it exists
   */
  overlays?: string;
  /**
   * Environment variables that manifests may read with `${env:NAME}`; their values are secret. Variables that contain
   * credentials, such as `AGENTSERVER_*`, `PULUMI_*`, and `AWS_*`, are not allowed. @default none
   */
  environmentVariables?: readonly string[];
  /**
   * Names of configuration keys and environment variables that the connections in manifests may specify. The provider
   * sends the key to the address in the manifest, so list only keys for these agent servers. @default none
   */
  connectionKeys?: readonly string[];
  /**
   * True to allow manifests that do not declare any deployments. An update with such manifests deletes all deployments
   * that they declared before.
   * @default false
   */
  allowEmpty?: boolean;
}
