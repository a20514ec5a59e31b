import type { Hidden } from "../resource/kind";
import type { Props } from "../resource/inputs/values";

/** Properties of a resource after a host has decoded them. */
export interface Decoded {
  /** Properties without the properties of the host; unknown values are `notKnownYet`, secrets are plain text. */
  values: Props;
  /** Paths of inputs that the program has marked as secret. */
  secretPaths: readonly string[];
  /** Values that the kind has computed and stores with the resource. */
  hidden?: Hidden;
}
