import * as pulumi from "@pulumi/pulumi";
import { stackOption } from "../provider/text/config-command";

/** Returns the stack of the program or component, in the format of `--stack`; `undefined` without an engine. */
export function programStack(): string | undefined {
  return stackOption(pulumi.getStack(), organization());
}

/** Returns `undefined` in a test of a program whose mocks have no organization. */
function organization(): string | undefined {
  try {
    return pulumi.getOrganization();
  } catch {
    return undefined;
  }
}
