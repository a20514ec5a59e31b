import type { Dialect } from "../../control-plane/dialects";
import { deploymentInputs } from "../inputs";
import { failure, type Finding } from "../../resource/finding";
import { nameFindings } from "./name-rules";
import { resourceSpecFindings } from "./resource-spec-rules";
import { sourceFindings } from "./source-rules";
import { besides, shapeFindings } from "../../resource/shape";
import { inputsIn } from "../state";
import type { Props } from "../../resource/values";
import { Wanted } from "../../resource/wanted";

/** One thing that is wrong with an input. */
export type CheckFailure = Pick<Finding, "property" | "reason">;

/** Everything that is surely wrong with the inputs of a deployment that is to be made. */
export function checkInputs(props: Props, dialect: Dialect): CheckFailure[] {
  const inputs = inputsIn(props);
  const shape = shapeFindings(deploymentInputs, inputs);
  const wanted = new Wanted({}, inputs);
  return [...shape, ...besides(shape, checkRules(wanted, dialect, false))]
    .filter(({ severity }) => severity === "failure")
    .map(({ property, reason }) => ({ property, reason }));
}

/**
 * What control planes of one dialect refuse, or take without success.
 * @param selfHosted whether the control plane is one of somebody's own installation
 */
export function checkRules(wanted: Wanted, dialect: Dialect, selfHosted: boolean): Finding[] {
  return [
    ...unclearableNulls(wanted, dialect),
    ...reservedSecrets(wanted, dialect),
    ...sourceFindings(wanted, dialect),
    ...resourceSpecFindings(wanted, dialect),
    ...nameFindings(wanted, dialect, selfHosted),
  ];
}

function unclearableNulls(wanted: Wanted, dialect: Dialect): Finding[] {
  return ["sourceConfig", "sourceRevisionConfig"].flatMap((group) => {
    const nulls = Object.entries(wanted.object(group) ?? {}).filter(([, value]) => value === null);
    return nulls
      .map(([field]) => `${group}.${field}`)
      .filter((property) => !dialect.clearable.has(property))
      .map((property) =>
        failure(property, "cannot be cleared with null; leave it out to let the control plane choose"),
      );
  });
}

/** Names that the service keeps for itself. */
function reservedSecrets(wanted: Wanted, { table }: Dialect): Finding[] {
  return Object.keys(wanted.object("secrets") ?? {})
    .filter((name) => table.reservedSecrets?.test(name))
    .map((name) => failure(`secrets.${name}`, "is a name that the control plane keeps for itself"));
}
