import * as pulumi from "@pulumi/pulumi";
import type { RolloutArgs } from "../deployment-args";

/** Adds verification to a rollout that is awaited, unless the program specifies the verification. */
export function withVerification(rollout: pulumi.Input<RolloutArgs> | undefined): pulumi.Input<RolloutArgs> {
  // Programs in other languages may pass null.
  if (rollout === undefined || (rollout as unknown) === null) return { verify: {} };
  if (pulumi.Output.isInstance(rollout) || rollout instanceof Promise)
    return pulumi
      .output(rollout)
      .apply((resolved) => withVerification(resolved as RolloutArgs) as RolloutArgs);
  return rollout.verify === undefined && rollout.wait !== false ? { ...rollout, verify: {} } : rollout;
}
