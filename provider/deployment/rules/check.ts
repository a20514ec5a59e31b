import type { Dialect } from "../../control-plane/dialects";
import { deploymentInputs } from "../inputs/inputs";
import { failure, type Finding } from "../../resource/inputs/finding";
import { nameFindings, identityFindings } from "./identity-rules";
import { resourceSpecFindings, tierFindings } from "./resource-spec-rules";
import { sourceFindings, folderFindings } from "./source-rules";
import { besides, shapeFindings } from "../../resource/inputs/shape";
import { inputsIn } from "../state";
import { at, type Props } from "../../resource/inputs/values";
import { allSettings } from "../inputs/settings";
import { environmentFindings } from "./environment-rules";
import { protectionFindings } from "./replacement-rules";
import { DesiredInputs } from "../../resource/inputs/wanted";

/** A problem with an input. */
export type CheckFailure = Pick<Finding, "property" | "reason">;

/** Returns all problems with the inputs of a deployment that can be found without requests to its control plane. */
export function checkInputs(props: Props, dialect: Dialect): CheckFailure[] {
  const inputs = inputsIn(props);
  const shape = shapeFindings(deploymentInputs, inputs);
  const wanted = new DesiredInputs({}, inputs);
  return [...shape, ...besides(shape, checkRules(wanted, dialect, true))]
    .filter(({ severity }) => severity === "failure")
    .map(({ property, reason }) => ({ property, reason }));
}

/**
 * Returns findings for inputs that control planes of one dialect reject, or accept without any effect.
 * @param selfHosted true if the control plane is a self-hosted installation
 */
export function checkRules(wanted: DesiredInputs, dialect: Dialect, selfHosted: boolean): Finding[] {
  return [
    ...identityFindings(wanted),
    ...unclearableNulls(wanted, dialect),
    ...environmentFindings(wanted, dialect, selfHosted),
    ...sourceFindings(wanted, dialect),
    ...folderFindings(wanted, dialect),
    ...tierFindings(wanted, dialect),
    ...protectionFindings(wanted, dialect),
    ...resourceSpecFindings(wanted, dialect),
    ...nameFindings(wanted, dialect, selfHosted),
  ];
}

function unclearableNulls(wanted: DesiredInputs, dialect: Dialect): Finding[] {
  const groups = ["sourceConfig", "sourceRevisionConfig"].flatMap((group) =>
    Object.entries(wanted.object(group) ?? {}).flatMap(([field, value]) =>
      value === null ? [`${group}.${field}`] : [],
    ),
  );
  const settings = allSettings.filter((setting) => at(wanted.inputs, setting) === null);
  return [...groups, ...settings]
    .filter((property) => !dialect.clearable.has(property))
    .map((property) =>
      failure(property, "cannot be cleared with null; omit it to let the control plane choose"),
    );
}
