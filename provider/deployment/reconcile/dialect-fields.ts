import { AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs/inputs";
import { unknownFields } from "../mapping";
import type { DeploymentPlan } from "../plan/plan";
import type { ControlPlaneOperation } from "../../resource/operation";

/** Rejects fields that the server would ignore, because it would otherwise appear that the server had accepted them. */
export function refuseUnknownFields(op: ControlPlaneOperation, inputs: DeploymentInputs): void {
  const [path] = unknownFields(inputs, op.plane.dialect);
  if (path === undefined) return;
  throw new AgentServerError(
    "bad_configuration",
    `${path} is not supported by this control plane (dialect ${op.plane.dialect.name}); omit it.`,
  );
}

/**
 * Rejects null values that the server would interpret as "unchanged", because it would otherwise appear that the values
 * had been cleared.
 */
export function refuseIgnoredNulls(op: ControlPlaneOperation, { patch, tiers }: DeploymentPlan): void {
  for (const group of ["sourceConfig", "sourceRevisionConfig"] as const)
    for (const [field, value] of Object.entries(patch?.[group] ?? {}))
      if (value === null && !op.plane.dialect.clearable.has(`${group}.${field}`))
        throw ignoredNull(op, `${group}.${field}`);
  for (const [setting, value] of Object.entries({ ...patch?.settings, ...tiers }))
    if (value === null) throw ignoredNull(op, setting);
}

function ignoredNull({ plane: { dialect } }: ControlPlaneOperation, path: string): AgentServerError {
  return new AgentServerError(
    "immutable_field",
    `${path} cannot be cleared with null on this control plane (dialect ${dialect.name}); omit it to keep its current value.`,
  );
}
