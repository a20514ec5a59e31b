import { violation } from "../resource/outcome";
import { deploymentPolicy, inProduction } from "../pack/record";

export const protectedDeployments = deploymentPolicy({
  name: "protected",
  text: "A deployment cannot be deleted or replaced by accident.",
  severity: "high",
  enforcement: "mandatory",
  settings: inProduction,
  *check(deployment) {
    if (!deployment.circumstances.protect && deployment.valueAt("deletionProtection") !== true)
      yield violation(
        "",
        "it is not protected",
        "Set `deletionProtection: true`, or pass `{ protect: true }` as its options.",
      );
  },
});
