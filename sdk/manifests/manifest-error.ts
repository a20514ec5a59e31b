import { AgentServerError } from "../../provider/errors";
import { type Fault, formatFault } from "./fault";

/** Error for invalid manifests: code `bad_manifest`, with every fault and its position. */
export class ManifestError extends AgentServerError {
  constructor(
    message: string,
    readonly faults: readonly Fault[] = [],
  ) {
    super("bad_manifest", [message, ...faults.map((fault) => `  ${formatFault(fault)}`)].join("\n"));
  }
}
