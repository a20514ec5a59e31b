import { type Dialect, allDialects } from "../../control-plane/dialects";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import { allSettings, isCreatedWith, patchOf } from "../inputs/settings";

/**
 * Reports a replacement of a deployment that has deletion protection or is about to get it. Disabling the protection in
 * the same update has no effect, because the old deployment is deleted later, based on its old state.
 */
export function protectionFindings(wanted: DesiredInputs, dialect: Dialect): Finding[] {
  const isProtected =
    wanted.stateValue("deletionProtection") === true || wanted.knownValue("deletionProtection") === true;
  if (!isProtected || !isReplaced(wanted, dialect)) return [];
  return [
    failure(
      "deletionProtection",
      "prevents the replacement of the deployment, which would delete it with its threads, assistants, crons, and store; undo the change that replaces it, or set deletionProtection to false, run `pulumi up` with only that change, and then make the other change",
    ),
  ];
}

/**
 * True if it is certain that the update will create a deployment, either the first one or a replacement. If the dialect
 * is unknown, the replacement must be certain for all dialects.
 */
export function createsDeployment(wanted: DesiredInputs, dialect: Dialect | undefined): boolean {
  return wanted.isNew || (dialect ? [dialect] : allDialects).every((one) => isReplaced(wanted, one));
}

/** True if it is certain that the deployment in state will be replaced. */
export function isReplaced(wanted: DesiredInputs, dialect: Dialect): boolean {
  const fixed = [...dialect.immutableSourceFields].map((field) => `sourceConfig.${field}`);
  const settings = allSettings.filter((one) => isCreatedWith(one, dialect) && !patchOf(one, dialect));
  if (wanted.isToBeReplaced) return true;
  return ["name", "agent", "source", ...fixed, ...settings].some((path) => wanted.replaces(path));
}
