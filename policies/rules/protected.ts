import { violation } from "../resource/outcome";
import { deploymentPolicy, inProduction } from "../pack/record";

export const protectedDeployments = deploymentPolicy({
  name: "protected",
  text: "Deployments must be protected against accidental deletion and replacement.",
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
