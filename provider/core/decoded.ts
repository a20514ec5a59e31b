import type { Hidden } from "../resource/kind";
import type { Props } from "../resource/inputs/values";

/** Properties of a resource as a host has decoded them. */
export interface Decoded {
  /** Without anything of the host's own; values that are not known yet are `notKnownYet`, secrets stand in clear. */
  values: Props;
  /** Paths of inputs that the program marked as secret. */
  secretPaths: readonly string[];
  /** What the kind has computed and keeps with the resource. */
  hidden?: Hidden;
}
