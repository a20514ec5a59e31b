import { z } from "zod";
import { AgentServerError } from "../errors";
import { controlPlaneAddress, damagedState, type ControlPlaneState } from "../resource/managed";
import type { Props } from "../resource/inputs/values";
import type { DeploymentInputs } from "./inputs/inputs";

/**
 * Result of the resource's last rollout, according to the state or the server: `unsettled` if it has not finished or
 * must still be verified, `none` if there is no known rollout.
 */
export type LastRollout = "deployed" | "failed" | "unsettled" | "none";

const isSo = z.literal(true).optional();

const awaitedRevision = z.object({
  /**
   * ID of the revision; empty if the control plane accepted the change but did not report which revision it created.
   */
  id: z.string(),
  /**
   * True if another stack or user created the revision before the deployment was adopted. The update waits for it, but
   * does not verify it or roll it back.
   */
  adopted: isSo,
  /** ID of the newest revision before the change, set only if `id` is empty; empty if there was no revision. */
  since: z.string().optional(),
  /**
   * True if `id` is empty and the change sent only settings or secrets, so that the source does not identify the
   * revision.
   */
  keepsSource: isSo,
});

const settledRevision = z.object({
  id: z.string(),
  /** The final status, for example `DEPLOYED` or `BUILD_FAILED`; `VERIFY_FAILED` after a failed verification. */
  status: z.string(),
  /** Time at which the server created the revision; empty if the server does not report it. */
  createdAt: z.string(),
  /** Time at which the provider received the final status. */
  settledAt: z.string(),
  /**
   * True if the rollout failed and another stack or user created the revision before the deployment was adopted. Such a
   * rollout is not retried.
   */
  adopted: isSo,
});

const nullableText = z.string().nullish();

const servingRevision = z.object({
  revisionId: z.string(),
  sourceRevisionConfig: z.object({
    repoRef: nullableText,
    graphConfigPath: nullableText,
    imageUri: nullableText,
  }),
});

const verifiedArtifact = z.object({
  /** Kind of source, for example `github`. */
  source: z.string(),
  /**
   * Full commit, image with its digest, or hash of the contents of a folder; omitted if the control plane does not
   * report which artifact it deployed.
   */
  artifact: z.string().optional(),
  graphConfigPath: z.string().optional(),
  /** ID of the newest revision that has served requests with the verified artifact. */
  revisionId: z.string(),
  /** Time at which the artifact first passed a verification. */
  verifiedAt: z.string(),
  /**
   * Checks that the artifact passed in its last verification, in addition to the check that the revision serves
   * requests.
   */
  verification: z.object({
    ok: z.boolean(),
    graph: z.string().optional(),
    run: z.boolean(),
    /** Score of the evaluation: the fraction of its cases that passed. */
    evaluation: z.number().optional(),
  }),
});

const rolledOut = z.object({
  /** Kind of source, for example `github`. */
  source: z.string(),
  /** Commit or image, or the branch or tag if its commit is unknown. */
  artifact: z.string(),
  graphConfigPath: z.string().optional(),
});

export const verifiedArtifacts = z.object({
  /** The entry for the serving revision; omitted if that revision has not been verified. */
  current: verifiedArtifact.optional(),
  /** The last verified artifacts, newest first; each artifact is listed once. */
  history: z.array(verifiedArtifact),
});

/** Version of the state format that this release writes. */
export const schemaVersion = 1 as const;

export const deploymentOutputs = z.object({
  /** Address of the deployment's agent server, once the server reports it. */
  url: z.string().optional(),
  /** ID of the newest known revision, which any client may have created; empty if there is none yet. */
  latestRevisionId: z.string(),
  /** The revision to wait for while the rollout of the resource's last change is in progress. */
  awaitedRevision: awaitedRevision.optional(),
  settledRevision: settledRevision.optional(),
  /** ID of the resource's last successful revision: `DEPLOYED`, and verified if that was required. */
  goodRevisionId: z.string().optional(),
  /** IDs of later revisions that have not passed a required verification. A rollback never uses them. */
  unverifiedRevisionIds: z.array(z.string()).optional(),
  /**
   * Source that this resource last rolled out, adopted, or imported; omitted if it is a folder. Unlike the inputs, it
   * does not change during a refresh.
   */
  rolledOut: rolledOut.optional(),
  /**
   * Inputs as this resource last sent them, if a refresh has read other values since. Contains only inputs that an
   * environment behind a gate keeps.
   */
  sentInputs: z.record(z.string(), z.unknown()).optional(),
  serving: servingRevision.optional(),
  verified: verifiedArtifacts.default({ history: [] }),
  controlPlane: controlPlaneAddress,
  ownerId: z.string(),
  /** The resource and stack that now own the deployment, if this resource no longer does. */
  heldBy: z.string().optional(),
  omitted: z.record(z.string(), z.string()).optional(),
  replaced: z.array(z.string()).optional(),
  creationId: z.string().optional(),
  schemaVersion: z.literal(schemaVersion),
});

/** The last revision that an operation waited for and whose rollout has finished. */
export type SettledRevision = z.infer<typeof settledRevision>;
/** The serving revision and its source. */
export type ServingRevision = z.infer<typeof servingRevision>;
/** An artifact that passed `rollout.verify`. */
export type VerifiedArtifact = z.infer<typeof verifiedArtifact>;
/** The verified artifacts of a deployment. */
export type VerifiedArtifacts = z.infer<typeof verifiedArtifacts>;
export type DeploymentOutputs = z.infer<typeof deploymentOutputs> & ControlPlaneState;

/** State of a deployment: the accepted inputs and the outputs. */
export type DeploymentState = DeploymentInputs & DeploymentOutputs;

export const outputNames: readonly string[] = Object.keys(deploymentOutputs.shape);

/** Returns the inputs among the properties of a resource. */
export function inputsIn(values: Props): DeploymentInputs {
  const written = Object.entries(values).filter(([key]) => !outputNames.includes(key));
  return Object.fromEntries(written) as unknown as DeploymentInputs;
}

/** Status that state contains for a `DEPLOYED` revision that failed `rollout.verify`. */
export const verifyFailed = "VERIFY_FAILED";

/** Schema of an incomplete state, either of a resource that is read by ID only or of a failed create. */
const partialOutputs = deploymentOutputs.partial({
  latestRevisionId: true,
  ownerId: true,
  schemaVersion: true,
});

/**
 * Schema of the inputs in state. It does not validate them again: the control plane has accepted them, but the current
 * input schema may be stricter.
 */
const storedInputs = z.looseObject({
  sourceConfig: z.looseObject({}).default({}),
  sourceRevisionConfig: z.looseObject({}).default({}),
  secrets: z.record(z.string(), z.string()).optional(),
  environmentVariables: z.record(z.string(), z.string()).optional(),
});

/**
 * Reads the state that the engine stored.
 * @throws AgentServerError `bad_configuration` for state that a newer release has written, and for damaged state
 */
export function readState(values: Props): DeploymentState {
  const version = values["schemaVersion"] ?? schemaVersion;
  if (typeof version === "number" && version > schemaVersion)
    throw new AgentServerError(
      "bad_configuration",
      `The state of this deployment was written by a newer release of pulumi-agentserver (state version ${version}; this release reads up to version ${schemaVersion}). Update the package in this program.`,
    );
  const outputs = partialOutputs.safeParse(values);
  const inputs = storedInputs.safeParse(inputsIn(values));
  const error = outputs.error ?? inputs.error;
  if (error) throw damagedState(error);
  return { ...inputs.data, ...outputs.data } as DeploymentState;
}

/**
 * Returns the result of the last rollout in state; `"none"` if the deployment has no revisions. A rollout that requires
 * no further action counts as deployed: one that a newer rollout has replaced, or one that failed before the deployment
 * was adopted.
 */
export function lastRolloutOf(
  state: Pick<DeploymentOutputs, "awaitedRevision" | "settledRevision">,
): LastRollout {
  const { awaitedRevision: awaited, settledRevision: settled } = state;
  if (awaited) return "unsettled";
  if (!settled) return "none";
  return settled.status.includes("FAILED") && !settled.adopted ? "failed" : "deployed";
}
