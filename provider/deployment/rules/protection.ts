import type { Dialect } from "../../control-plane/dialects";
import { failure, type Finding } from "../../resource/finding";
import type { Wanted } from "../../resource/wanted";
import { isReplaced } from "./makes-one";

/** A replacement of a deployment that is protected, unless this very update takes the protection away. */
export function protectionFindings(wanted: Wanted, dialect: Dialect): Finding[] {
  const isProtected = wanted.heldValue("deletionProtection") === true;
  if (!isProtected || wanted.known("deletionProtection") === false || !isReplaced(wanted, dialect)) return [];
  return [
    failure(
      "deletionProtection",
      "keeps the deployment from being replaced, which would delete it with its threads, assistants, crons and store; undo the change that replaces it, or set deletionProtection to false",
    ),
  ];
}
