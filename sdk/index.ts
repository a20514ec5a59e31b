export { AgentServerError, type ErrorCode, type ErrorFacts } from "../provider/errors";
export { Assistant, type AssistantArgs, type AssistantConfigArgs } from "./agent-server/assistant";
export { Cron, type CronArgs } from "./agent-server/cron";
export { Run, type RunArgs } from "./agent-server/run";
export { StoreItem, type StoreItemArgs } from "./agent-server/store-item";
export { StoreItems, type StoreItemsArgs } from "./agent-server/store-items";
export { Thread, type SuperstepUpdateArgs, type ThreadArgs } from "./agent-server/thread";
export type { OtherControlPlane } from "./other-control-plane";
export type { ConnectionArgs, DeploymentReference, ServerArgs } from "./agent-server/server-args";
export { AgentService } from "./components/agent-service";
export type {
  AgentServiceArgs,
  ServiceAssistantArgs,
  ServiceContents,
  ServiceCronArgs,
  ServiceMemoryArgs,
} from "./components/agent-service-args";
export { Environments } from "./components/environments";
export type { EnvironmentArgs, EnvironmentsArgs } from "./components/environments-args";
export { Deployment } from "./deployment";
export type {
  AgentArgs,
  AgentDeploymentArgs,
  DeploymentArgs,
  DeploymentSettings,
  NamedArgs,
  RolloutArgs,
  SecretReferenceArgs,
  SmokeRunArgs,
  EvaluationArgs,
  EvaluationCaseArgs,
  JudgeArgs,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
  VerifyArgs,
} from "./deployment-args";
export type {
  AwaitedRevision,
  ControlPlaneAddress,
  ServingRevision,
  VerifiedArtifact,
  VerifiedArtifacts,
  VerifiedChecks,
  SettledRevision,
} from "./deployment-outputs";
export type { DeploymentSummary, GetAssistantResult, GetDeploymentResult } from "./functions/results";
export type { LookUpServer } from "./functions/lookup-server";
export {
  authenticate,
  authenticateOutput,
  type AuthenticateArgs,
  type AuthenticateResult,
} from "./functions/authenticate";
export { getAssistant, getAssistantOutput, type GetAssistantArgs } from "./functions/get-assistant";
export {
  getAssistants,
  getAssistantsOutput,
  type GetAssistantsArgs,
  type GetAssistantsFilters,
} from "./functions/get-assistants";
export {
  getDeploymentLogs,
  getDeploymentLogsOutput,
  type GetDeploymentLogsArgs,
  type GetDeploymentLogsResult,
  type LogLine,
} from "./functions/get-deployment-logs";
export {
  getDeployment,
  getDeploymentOutput,
  type GetDeploymentArgs,
  type VerifyServing,
} from "./functions/get-deployment";
export {
  getDeployments,
  getDeploymentsOutput,
  type GetDeploymentsArgs,
  type GetDeploymentsFilters,
} from "./functions/get-deployments";
export {
  getIntegration,
  getIntegrationOutput,
  type GetIntegrationArgs,
  type GetIntegrationResult,
} from "./functions/get-integration";
export { getListeners, getListenersOutput, type GetListenersResult } from "./functions/get-listeners";
export { getRevisions, getRevisionsOutput, type GetRevisionsResult } from "./functions/get-revisions";
export {
  getStoreItem,
  getStoreItemOutput,
  type GetStoreItemArgs,
  type GetStoreItemResult,
} from "./functions/get-store-item";
export {
  promote,
  type PromoteArgs,
  type PromotedSource,
  type PromoteResult,
  type PromotionCheck,
  type PromotionCheckFunction,
  type PromotionDay,
  type PromotionGate,
  type PromotionGateArgs,
  type PromotionTarget,
  type PromotionWindow,
} from "./functions/promote";
export {
  searchThreads,
  searchThreadsOutput,
  type SearchThreadsArgs,
  type SearchThreadsFilters,
  type SearchThreadsResult,
} from "./functions/search-threads";
export { Listener, type ListenerArgs } from "./listener";
export { Workspace } from "./workspace";
export type { WorkspaceArgs } from "./workspace-args";
