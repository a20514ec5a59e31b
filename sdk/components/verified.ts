import * as pulumi from "@pulumi/pulumi";
import type { RolloutArgs } from "../deployment-args";

/** The rollout with a verification, where the program asks for none and a rollout is waited for. */
export function verified(rollout: pulumi.Input<RolloutArgs> | undefined): pulumi.Input<RolloutArgs> {
  if (rollout === undefined) return { verify: {} };
  if (pulumi.Output.isInstance(rollout) || rollout instanceof Promise)
    return pulumi.output(rollout).apply((known) => verified(known as RolloutArgs) as RolloutArgs);
  return rollout.verify === undefined && rollout.wait !== false ? { ...rollout, verify: {} } : rollout;
}
