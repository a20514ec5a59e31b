import type { Hidden } from "../resource/kind";
import type { Props } from "../resource/inputs/values";

/** Properties of a resource after a host has decoded them. */
export interface Decoded {
  /** Properties without those of the host. Unknown values are `notKnownYet`, and secrets are in plain text. */
  values: Props;
  /** Paths of the inputs that the program has marked as secret. */
  secretPaths: readonly string[];
  /** Values that the kind has computed and stored with the resource. */
  hidden?: Hidden;
}
