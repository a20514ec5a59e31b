export { AgentServerError, type ErrorCode, type ErrorFacts } from "../provider/errors";
export { Deployment } from "./deployment";
export type {
  DeploymentArgs,
  RolloutArgs,
  SmokeRunArgs,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
  VerifyArgs,
} from "./deployment-args";
export type {
  AwaitedRevision,
  ControlPlaneAddress,
  ServingRevision,
  SettledRevision,
} from "./deployment-outputs";
export {
  getDeployment,
  getDeploymentOutput,
  type GetDeploymentArgs,
  type GetDeploymentResult,
} from "./get-deployment";
export { Workspace } from "./workspace";
export type { WorkspaceArgs } from "./workspace-args";
