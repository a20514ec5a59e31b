import { z } from "zod";
import { AgentServerError } from "../errors";
import { controlPlaneAddress, damagedState, type ControlPlaneState } from "../resource/managed";
import type { Props } from "../resource/inputs/values";
import type { DeploymentInputs } from "./inputs/inputs";

/** How the last rollout of the resource ended, as far as state or the server shows. */
export type LastRollout = "deployed" | "failed" | "unsettled" | "none";

const isSo = z.literal(true).optional();

const awaitedRevision = z.object({
  /** Empty where the control plane took the change, but did not say which revision it made. */
  id: z.string(),
  /** Somebody else made it before the deployment was adopted: it is waited for, but not verified or rolled back. */
  adopted: isSo,
  /** Where `id` is empty: the newest revision before the change; empty where there was none. */
  since: z.string().optional(),
  /** Where `id` is empty: the change sent settings or secrets alone, so the revision has no source to be known by. */
  keepsSource: isSo,
});

const settledRevision = z.object({
  id: z.string(),
  /** The final status word, for example `DEPLOYED` or `BUILD_FAILED`; `VERIFY_FAILED` for a failed verification. */
  status: z.string(),
  /** When the server made the revision; empty when it does not say. */
  createdAt: z.string(),
  /** When the provider saw the final status. */
  settledAt: z.string(),
  /** It failed, and somebody else made it before the deployment was adopted: it is not repeated for that. */
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

/** Version of the state's shape that this release writes. */
export const schemaVersion = 1 as const;

/** What the provider adds to the inputs. */
const deploymentOutputs = z.object({
  /** Address of the deployment's agent server, once the server reports it. */
  url: z.string().optional(),
  /** The newest revision that is known, whoever made it; empty while there is none. */
  latestRevisionId: z.string(),
  /** There while the rollout of this resource's own last change has not settled. */
  awaitedRevision: awaitedRevision.optional(),
  settledRevision: settledRevision.optional(),
  /** The last revision of this resource that settled well: DEPLOYED, and verified where that was asked for. */
  goodRevisionId: z.string().optional(),
  /** Revisions since then that are DEPLOYED but did not pass a verification: a rollback never goes back to them. */
  unverifiedRevisionIds: z.array(z.string()).optional(),
  serving: servingRevision.optional(),
  controlPlane: controlPlaneAddress,
  ownerId: z.string(),
  /** Which resource of which stack holds the deployment by now, where it is not this one any more. */
  heldBy: z.string().optional(),
  omitted: z.record(z.string(), z.string()).optional(),
  replaced: z.array(z.string()).optional(),
  creationId: z.string().optional(),
  schemaVersion: z.literal(schemaVersion),
});

/** The revision that the last wait was about, once it settled. */
export type SettledRevision = z.infer<typeof settledRevision>;
/** The revision that answers requests now, and the source that it was built from. */
export type ServingRevision = z.infer<typeof servingRevision>;
export type DeploymentOutputs = z.infer<typeof deploymentOutputs> & ControlPlaneState;

/** The resource's whole state: the inputs as accepted, and the outputs. */
export type DeploymentState = DeploymentInputs & DeploymentOutputs;

/** Names of what state holds besides the inputs. */
export const outputNames: readonly string[] = Object.keys(deploymentOutputs.shape);

/** The properties that a user wrote, without outputs. */
export function inputsIn(values: Props): DeploymentInputs {
  const written = Object.entries(values).filter(([key]) => !outputNames.includes(key));
  return Object.fromEntries(written) as unknown as DeploymentInputs;
}

/** Status, in state, of a revision that is DEPLOYED and is not what `rollout.verify` asks for. */
export const verifyFailed = "VERIFY_FAILED";

/** A state that is not whole: of a resource that is read by its id alone, or of which a failed create kept a part. */
const partialOutputs = deploymentOutputs.partial({
  latestRevisionId: true,
  ownerId: true,
  schemaVersion: true,
});

/** What the control plane has taken once is not judged again, whatever the inputs' schema says by now. */
const heldInputs = z.looseObject({
  sourceConfig: z.looseObject({}).default({}),
  sourceRevisionConfig: z.looseObject({}).default({}),
  secrets: z.record(z.string(), z.string()).optional(),
  environmentVariables: z.record(z.string(), z.string()).optional(),
});

/**
 * Reads the state that the engine kept.
 * @throws AgentServerError `bad_configuration` for the state of a newer release, and for one that was damaged
 */
export function readState(values: Props): DeploymentState {
  const version = values["schemaVersion"] ?? schemaVersion;
  if (typeof version === "number" && version > schemaVersion)
    throw new AgentServerError(
      "bad_configuration",
      `The state of this deployment was written by a newer release of pulumi-agentserver (state version ${version}; this release reads up to version ${schemaVersion}). Update the package in this program.`,
    );
  const outputs = partialOutputs.safeParse(values);
  const inputs = heldInputs.safeParse(inputsIn(values));
  const error = outputs.error ?? inputs.error;
  if (error) throw damagedState(error);
  return { ...inputs.data, ...outputs.data } as DeploymentState;
}

/**
 * How the rollout that the state speaks of ended; one that a newer one replaced, or that failed before the deployment
 * was adopted, has nothing left to be done. A deployment may have no revision at all.
 */
export function lastRolloutOf(
  state: Pick<DeploymentOutputs, "awaitedRevision" | "settledRevision">,
): LastRollout {
  const { awaitedRevision: awaited, settledRevision: settled } = state;
  if (awaited) return "unsettled";
  if (!settled) return "none";
  return settled.status.includes("FAILED") && !settled.adopted ? "failed" : "deployed";
}
