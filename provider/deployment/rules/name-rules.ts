import type { Dialect } from "../../control-plane/dialects";
import { warning, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/**
 * Names with which a deployment is made, but does not come to serve.
 * @param selfHosted - whether the control plane is one of somebody's own installation
 */
export function nameFindings(wanted: DesiredInputs, { table }: Dialect, selfHosted: boolean): Finding[] {
  const name = wanted.text("name");
  if (!table.names || !name || !wanted.changes("name")) return [];
  const { pattern, wording, selfHostedLength } = table.names;
  return [
    ...(pattern.test(name) ? [] : [warning("name", `should be of ${wording}: rollouts of other names fail`)]),
    ...(selfHosted && name.length > selfHostedLength
      ? [
          warning(
            "name",
            `has ${name.length} characters: in a self-hosted installation a deployment with a name of more than ${selfHostedLength} may never become ready`,
          ),
        ]
      : []),
  ];
}
