import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { isSameDeploymentType } from "../../provider/deployment/inputs/deployment-type";
import { heldSettings } from "../../provider/deployment/inputs/held-inputs";
import type { SourceConfigArgs } from "../deployment-args";
import type { VerifiedArtifacts } from "../deployment-outputs";
import { valueIfKnown } from "../known-value";
import type { AgentServiceArgs } from "./agent-service-args";

/** Inputs of an environment's deployment. */
type Args = Omit<AgentServiceArgs, "sourceRevisionConfig" | "sourceConfig"> & {
  sourceConfig: SourceConfigArgs;
};

/** Outputs of a deployment in the state of the stack. */
export interface DeploymentInState {
  name?: string;
  connection?: object;
  source?: string;
  sourceConfig?: Record<string, unknown>;
  sourceRevisionConfig?: {
    repoRef?: string | null;
    imageUri?: string | null;
    graphConfigPath?: string | null;
  };
  verified?: VerifiedArtifacts;
  /** Source that the stack has rolled out, adopted, or imported. */
  rolledOut?: { source: string; artifact: string; graphConfigPath?: string };
  /** Inputs that the stack sent last, if a refresh has read other values since. */
  sentInputs?: Pick<DeploymentInState, "name" | "source" | "sourceConfig">;
}

/** Fields of `sourceConfig` for which a change may replace the deployment or cause a build from a different source. */
const sourceFields = [
  "repoUrl",
  "integrationId",
  "deploymentType",
  "listenerId",
  "listenerConfig",
  "templateId",
] as const;

/** Inputs that an environment in state keeps until the conditions of its gate are met. */
export interface HeldInputs {
  /** Paths of the inputs that changed, in the order in which they are documented. */
  changed: string[];
  /** Returns the inputs, with the values in state for those that changed. */
  keep<Given extends Args>(args: Given): Given;
}

/**
 * Compares the inputs that may cause a replacement, and the path of the graph configuration, with those that the stack
 * sent last. Inputs that the program omits, or that are not known in this preview, count as unchanged.
 */
export async function heldInputs(
  found: DeploymentInState,
  args: Args,
  graphConfigPath: pulumi.Input<string> | undefined,
): Promise<HeldInputs> {
  const state = { ...found, ...found.sentInputs };
  const isChangedSource = state.source !== undefined && state.source !== args.source;
  const differs = async (before: unknown, given: unknown, isSame = isDeepStrictEqual): Promise<boolean> => {
    if (before === undefined || before === null || given === undefined) return false;
    const known = await valueIfKnown(given);
    return known?.value != null && !isSame(before, plain(known.value));
  };
  const same: Partial<Record<string, (one: never, other: never) => boolean>> = {
    deploymentType: isSameDeploymentType,
  };
  const inSource: string[] = [];
  for (const field of isChangedSource ? [] : sourceFields) {
    const given = (args.sourceConfig as Record<string, unknown>)[field];
    if (await differs(state.sourceConfig?.[field], given, same[field] as typeof isDeepStrictEqual))
      inSource.push(field);
  }
  const others: string[] = [];
  for (const field of ["name", ...heldSettings] as const)
    if (await differs((state as Record<string, unknown>)[field], args[field])) others.push(field);
  const pathInState = state.rolledOut?.graphConfigPath ?? state.sourceRevisionConfig?.graphConfigPath;
  const pick = (from: object, fields: readonly string[]) =>
    Object.fromEntries(fields.map((field) => [field, (from as Record<string, unknown>)[field]]));
  return {
    changed: [
      ...others,
      ...(isChangedSource ? ["source"] : []),
      ...inSource.map((field) => `sourceConfig.${field}`),
      // The path of the kept source takes precedence, because a refresh may have stored the path of another user's
      // revision.
      ...((await differs(pathInState, graphConfigPath)) ? ["sourceRevisionConfig.graphConfigPath"] : []),
    ],
    keep: (given) => ({
      ...given,
      ...pick(state, others),
      ...(isChangedSource
        ? {
            source: state.source,
            sourceConfig: {
              ...fromState(state.sourceConfig),
              ...(given.sourceConfig.resourceSpec !== undefined && {
                resourceSpec: given.sourceConfig.resourceSpec,
              }),
            },
          }
        : {
            sourceConfig: { ...given.sourceConfig, ...fromState(pick(state.sourceConfig ?? {}, inSource)) },
          }),
    }),
  };
}

/** Returns a value in the form that it would have in state, without undefined fields. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/**
 * Returns values in state as secret inputs, because state does not show which of them are secret. For
 * example, the URL of a repository may contain a token.
 */
function fromState(values: object | undefined): object {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, pulumi.secret(value as unknown)]));
}
