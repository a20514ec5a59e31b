import type { Dialect } from "../../control-plane/dialects";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import { isReplaced } from "./makes-one";

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
