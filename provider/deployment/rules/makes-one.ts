import { allDialects, type Dialect } from "../../control-plane/dialects";
import type { Wanted } from "../../resource/wanted";

/**
 * Whether the control plane will surely be asked to make a deployment: for the first time, or in place of the one in
 * state. Where the dialect is not known, every one has to say so.
 */
export function makesOne(wanted: Wanted, dialect: Dialect | undefined): boolean {
  return wanted.isNew || (dialect ? [dialect] : allDialects).every((one) => isReplaced(wanted, one));
}

function isReplaced(wanted: Wanted, { fixedSourceFields }: Dialect): boolean {
  const fixed = [...fixedSourceFields].map((field) => `sourceConfig.${field}`);
  return ["name", "source", ...fixed].some((path) => wanted.replaces(path));
}
