import { allDialects, type Dialect } from "../../control-plane/dialects";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import { allSettings, isCreatedWith, patchOf } from "../inputs/settings";

/**
 * Whether the control plane will surely be asked to make a deployment: for the first time, or in place of the one in
 * state. Where the dialect is not known, every one has to say so.
 */
export function makesOne(wanted: DesiredInputs, dialect: Dialect | undefined): boolean {
  return wanted.isNew || (dialect ? [dialect] : allDialects).every((one) => isReplaced(wanted, one));
}

/** Whether the deployment in state is surely replaced. */
export function isReplaced(wanted: DesiredInputs, dialect: Dialect): boolean {
  const fixed = [...dialect.fixedSourceFields].map((field) => `sourceConfig.${field}`);
  const settings = allSettings.filter((one) => isCreatedWith(one, dialect) && !patchOf(one, dialect));
  if (wanted.isToBeReplaced) return true;
  return ["name", "agent", "source", ...fixed, ...settings].some((path) => wanted.replaces(path));
}
