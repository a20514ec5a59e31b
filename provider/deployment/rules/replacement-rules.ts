import { type Dialect, allDialects } from "../../control-plane/dialects";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import { allSettings, isCreatedWith, patchOf } from "../inputs/settings";

/**
 * A replacement of a deployment that is protected, or is to be. One that this very update takes the protection away from is
 * protected still: what is deleted after its replacement has the old state.
 */
export function protectionFindings(wanted: DesiredInputs, dialect: Dialect): Finding[] {
  const isProtected =
    wanted.heldValue("deletionProtection") === true || wanted.known("deletionProtection") === true;
  if (!isProtected || !isReplaced(wanted, dialect)) return [];
  return [
    failure(
      "deletionProtection",
      "keeps the deployment from being replaced, which would delete it with its threads, assistants, crons and store; undo the change that replaces it; or set deletionProtection to false, run `pulumi up` with that alone, and make the change then",
    ),
  ];
}

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
