import { AgentServerError } from "../../provider/errors";
import { type Fault, formatFault } from "./fault";

/** Error for invalid manifests: code `bad_manifest`, with every fault and its position. */
export class ManifestError extends AgentServerError {
  /** Makes Pulumi print the message without a stack trace, as it does for its `RunError`. */
  readonly __pulumiRunError = true;

  constructor(
    message: string,
    readonly faults: readonly Fault[] = [],
  ) {
    super("bad_manifest", [message, ...faults.map((fault) => `  ${formatFault(fault)}`)].join("\n"));
  }
}
