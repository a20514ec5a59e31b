import { isSameJson } from "../resource/inputs/json";
import { heldInputs } from "./inputs/held-inputs";
import type { DeploymentInputs } from "./inputs/inputs";
import type { DeploymentOutputs } from "./state";

/**
 * Returns the values that the resource last sent for the held inputs, to be stored in state after a read; `undefined`
 * if the server reports the same values.
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
