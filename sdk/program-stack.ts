import * as pulumi from "@pulumi/pulumi";
import { stackOption } from "../provider/text/config-command";

/** Returns the stack of the program or component, in the format of `--stack`; `undefined` without an engine. */
export function programStack(): string | undefined {
  return stackOption(pulumi.getStack(), organization());
}

/** Returns the organization of the program; `undefined` in a test whose mocks do not specify one. */
function organization(): string | undefined {
  try {
    return pulumi.getOrganization();
  } catch {
    return undefined;
  }
}
