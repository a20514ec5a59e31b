import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/** A deployment is known by a name, or in its place by an agent and an environment. */
export function identityFindings(wanted: DesiredInputs): Finding[] {
  if (wanted.lacks("agent") && wanted.lacks("name"))
    return [failure("name", "is required; in the dialect langsmith, `agent` may stand in its place")];
  if (!wanted.lacks("agent") && !wanted.lacks("name"))
    return [failure("agent", "stands in the place of a name; leave out one of the two")];
  return [];
}
