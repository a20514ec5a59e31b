import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/** A text that is none of the values that the control plane takes. @param values any text where there are none */
export function oneOf(wanted: DesiredInputs, path: string, values: readonly string[] | undefined): Finding[] {
  const value = wanted.text(path);
  if (!values || value === undefined || value === "" || values.includes(value)) return [];
  return [
    failure(
      path,
      `${JSON.stringify(value)} is none of ${values.join(", ")}, the only ones that this control plane takes; if it is newer than this release, update pulumi-agentserver`,
    ),
  ];
}
