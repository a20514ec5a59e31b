import * as pulumi from "@pulumi/pulumi";
import type { DeploymentSettings, RolloutArgs } from "../deployment-args";

/** A rollout that is verified and rolled back where it fails, unless it says otherwise. */
export function verifiedRollout(rollout: DeploymentSettings["rollout"]): DeploymentSettings["rollout"] {
  const completed = (given: RolloutArgs | undefined): RolloutArgs => ({
    onFailure: "rollback",
    verify: {},
    ...given,
  });
  if (pulumi.Output.isInstance(rollout) || rollout instanceof Promise)
    return pulumi.output(rollout).apply((known) => completed(known) as never);
  return completed(rollout);
}
