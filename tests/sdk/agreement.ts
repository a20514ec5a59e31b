import type { Unwrap } from "@pulumi/pulumi";
import type { z } from "zod";
import type {
  deploymentInputs,
  DeploymentInputs,
  RolloutInputs,
  SourceConfigInputs,
  SourceRevisionConfigInputs,
  VerifyInputs,
} from "../../provider/deployment/inputs/inputs";
import type { DeploymentOutputs } from "../../provider/deployment/state";
import type { FunctionArgs, FunctionResult } from "../../provider/lookup/functions";
import type {
  AuthenticateArgs,
  AuthenticateResult,
  ControlPlaneAddress,
  Deployment,
  DeploymentArgs,
  GetAssistantArgs,
  GetAssistantResult,
  GetAssistantsArgs,
  GetDeploymentArgs,
  GetDeploymentLogsArgs,
  GetDeploymentLogsResult,
  GetDeploymentResult,
  GetDeploymentsArgs,
  GetDeploymentsFilters,
  GetIntegrationArgs,
  GetIntegrationResult,
  GetListenersResult,
  GetRevisionsResult,
  GetStoreItemArgs,
  GetStoreItemResult,
  RolloutArgs,
  SearchThreadsArgs,
  SearchThreadsResult,
  ServingRevision,
  VerifiedArtifacts,
  AwaitedRevision,
  SettledRevision,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
  VerifyArgs,
} from "../../sdk";

/*
 * The published types of inputs are separate from the types that the provider derives from its schemas, so that the
 * published types do not depend on zod. This file compiles only if these types agree.
 */

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Written = z.input<typeof deploymentInputs>;
/**
 * Fields without null. The provider's types allow null in every field, because the provider's checks reject null
 * values. Types of arbitrary values differ after unwrapping; the last assertion covers them.
 */
type Plain<Group> = {
  [Field in keyof Group as Field extends "resourceSpec" | "triggers" | "verify" ? never : Field]: Exclude<
    Group[Field],
    null
  >;
};

export const agreements: true[] = [
  same<keyof AuthenticateArgs, keyof FunctionArgs<"authenticate">>(),
  same<keyof AuthenticateResult, keyof FunctionResult<"authenticate">>(),
  same<keyof GetAssistantArgs, keyof FunctionArgs<"getAssistant">>(),
  same<keyof GetAssistantResult, keyof FunctionResult<"getAssistant">>(),
  same<keyof GetAssistantsArgs, keyof FunctionArgs<"getAssistants">>(),
  same<GetDeploymentArgs, FunctionArgs<"getDeployment">>(),
  same<keyof GetDeploymentResult, keyof FunctionResult<"getDeployment">>(),
  same<keyof GetDeploymentsArgs, keyof FunctionArgs<"getDeployments">>(),
  same<GetDeploymentsFilters, NonNullable<FunctionArgs<"getDeployments">["filters"]>>(),
  same<GetDeploymentLogsArgs, FunctionArgs<"getDeploymentLogs">>(),
  same<GetDeploymentLogsResult, FunctionResult<"getDeploymentLogs">>(),
  same<GetIntegrationArgs, FunctionArgs<"getIntegration">>(),
  same<GetIntegrationResult, FunctionResult<"getIntegration">>(),
  same<GetListenersResult, FunctionResult<"getListeners">["listeners"][number]>(),
  same<GetRevisionsResult, FunctionResult<"getRevisions">["revisions"][number]>(),
  same<keyof GetStoreItemArgs, keyof FunctionArgs<"getStoreItem">>(),
  same<GetStoreItemResult, FunctionResult<"getStoreItem">>(),
  same<keyof SearchThreadsArgs, keyof FunctionArgs<"searchThreads">>(),
  same<keyof SearchThreadsResult, keyof FunctionResult<"searchThreads">["threads"][number]>(),
  same<keyof DeploymentArgs, keyof DeploymentInputs>(),
  same<keyof SourceConfigArgs, keyof SourceConfigInputs>(),
  same<keyof SourceRevisionConfigArgs, Exclude<keyof SourceRevisionConfigInputs, "contentHash">>(),
  same<keyof RolloutArgs, keyof RolloutInputs>(),
  same<keyof VerifyArgs, keyof VerifyInputs>(),
  same<keyof Unwrap<NonNullable<VerifyArgs["run"]>>, keyof NonNullable<VerifyInputs["run"]>>(),
  same<Plain<Unwrap<SourceConfigArgs>>, Plain<SourceConfigInputs>>(),
  // The provider computes the hash.
  same<Plain<Unwrap<SourceRevisionConfigArgs>>, Plain<Omit<SourceRevisionConfigInputs, "contentHash">>>(),
  same<Plain<Unwrap<RolloutArgs>>, Plain<RolloutInputs>>(),
  same<
    Unwrap<DeploymentArgs>["name" | "source" | "secrets" | "adopt"],
    Written["name" | "source" | "secrets" | "adopt"]
  >(),
  same<Unwrap<Deployment["settledRevision"]>, DeploymentOutputs["settledRevision"]>(),
  same<AwaitedRevision, NonNullable<DeploymentOutputs["awaitedRevision"]>>(),
  same<SettledRevision, NonNullable<DeploymentOutputs["settledRevision"]>>(),
  same<keyof ServingRevision, keyof NonNullable<DeploymentOutputs["serving"]>>(),
  same<VerifiedArtifacts, DeploymentOutputs["verified"]>(),
  same<keyof ControlPlaneAddress, keyof DeploymentOutputs["controlPlane"]>(),
  same<
    Extract<keyof Deployment, keyof DeploymentOutputs>,
    // Outputs that only the provider uses.
    Exclude<
      keyof DeploymentOutputs,
      | "schemaVersion"
      | "goodRevisionId"
      | "unverifiedRevisionIds"
      | "rolledOut"
      | "sentInputs"
      | "omitted"
      | "replaced"
      | "creationId"
    >
  >(),
];

/** Type check: the provider accepts all values that users can specify. */
export const readable: (written: Unwrap<DeploymentArgs>) => Written = (written) => written;

function same<One, Other>(): Same<One, Other> {
  return true as Same<One, Other>;
}
