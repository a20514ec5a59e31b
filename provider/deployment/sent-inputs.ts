import { isSameJson } from "../resource/inputs/json";
import type { DeploymentInputs } from "./inputs/inputs";
import type { DeploymentOutputs } from "./state";

/** Settings that an environment keeps until the conditions of its gate are met. */
export const heldSettings = ["shareable", "deploymentTier", "computeTier", "databaseTier"] as const;

/**
 * All inputs that an environment keeps until the conditions of its gate are met, except for the source of its
 * revisions.
 */
const heldInputs = ["name", "source", "sourceConfig", ...heldSettings] as const;

/**
 * Returns the values of the held inputs that the resource sent last, to be stored in state after a read; `undefined` if
 * the server reports the same values.
 * @param inputs the inputs with the values that the server reports
 */
export function sentInputsAfterRead(
  known: DeploymentInputs & Pick<DeploymentOutputs, "sentInputs">,
  inputs: DeploymentInputs,
): DeploymentOutputs["sentInputs"] {
  const sent = { ...known, ...known.sentInputs };
  const changed = heldInputs.filter(
    (name) => sent[name] !== undefined && !isSameJson(sent[name], inputs[name]),
  );
  return changed.length > 0 ? Object.fromEntries(changed.map((name) => [name, sent[name]])) : undefined;
}
