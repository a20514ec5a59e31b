import { z } from "zod";
import { AgentServerError } from "../errors";
import { controlPlaneAddress, damagedState, type ControlPlaneState } from "../resource/managed";
import type { Props } from "../resource/inputs/values";
import type { DeploymentInputs } from "./inputs/inputs";

/** Result of the last rollout of the resource, if the state or the server contains it. */
export type LastRollout = "deployed" | "failed" | "unsettled" | "none";

const isSo = z.literal(true).optional();

const awaitedRevision = z.object({
  /** Empty if the control plane accepted the change but did not report which revision it created. */
  id: z.string(),
  /**
   * True if another stack or user created the revision before the deployment was adopted. The update waits for it, but
   * does not verify it or roll it back.
   */
  adopted: isSo,
  /** If `id` is empty: the newest revision before the change, or empty if there was none. */
  since: z.string().optional(),
  /**
   * If `id` is empty: true if the change sent only settings or secrets, so that the source does not identify the
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
   * True if another stack or user created the revision before the adoption and its rollout failed. Such a rollout is
   * not retried.
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
  /** Kind of source. */
  source: z.string(),
  /**
   * Full commit, image with its digest, or hash of the contents of a folder; omitted if the control plane does not
   * report which artifact it deployed.
   */
  artifact: z.string().optional(),
  graphConfigPath: z.string().optional(),
  /** The newest revision that serves or has served the artifact after verification. */
  revisionId: z.string(),
  /** Time of the first verification of the artifact. */
  verifiedAt: z.string(),
  /** Results of the checks of the last verification, in addition to the check that the revision serves requests. */
  verification: z.object({
    ok: z.boolean(),
    graph: z.string().optional(),
    run: z.boolean(),
    /** Fraction of the evaluation's cases that passed. */
    evaluation: z.number().optional(),
  }),
});

const rolledOut = z.object({
  /** Kind of source. */
  source: z.string(),
  /** Commit or image. */
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
  /** The newest known revision, created by any client; empty if there is none yet. */
  latestRevisionId: z.string(),
  /** Present while the rollout of the last change by this resource is in progress. */
  awaitedRevision: awaitedRevision.optional(),
  settledRevision: settledRevision.optional(),
  /** The last successful revision of this resource: `DEPLOYED`, and verified if that was required. */
  goodRevisionId: z.string().optional(),
  /** Later revisions that are `DEPLOYED` but failed a verification. A rollback never uses them. */
  unverifiedRevisionIds: z.array(z.string()).optional(),
  /**
   * Source that this resource has rolled out, adopted, or imported; omitted if it is a folder. A refresh does not change
   * it, in contrast to the inputs.
   */
  rolledOut: rolledOut.optional(),
  /**
   * Inputs that this resource sent last, if a refresh has read other values since; only those that an environment behind
   * a gate keeps.
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

/** The last revision that an update has waited for, after its rollout has finished. */
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

/** An incomplete state, either of a resource that is read by ID only or of a failed create. */
const partialOutputs = deploymentOutputs.partial({
  latestRevisionId: true,
  ownerId: true,
  schemaVersion: true,
});

/**
 * Inputs in state are not validated again, because the control plane has accepted them even if the current schema would
 * not.
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
 * Returns the result of the rollout in state. A rollout requires no further action if a newer one has replaced it, or
 * if it failed before the deployment was adopted. A deployment may have no revisions.
 */
export function lastRolloutOf(
  state: Pick<DeploymentOutputs, "awaitedRevision" | "settledRevision">,
): LastRollout {
  const { awaitedRevision: awaited, settledRevision: settled } = state;
  if (awaited) return "unsettled";
  if (!settled) return "none";
  return settled.status.includes("FAILED") && !settled.adopted ? "failed" : "deployed";
}
