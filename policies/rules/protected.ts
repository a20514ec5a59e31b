import { violation } from "../deployment/outcome";
import { deploymentPolicy, inProduction } from "../pack/record";

export const protectedDeployments = deploymentPolicy({
  name: "protected",
  text: "A deployment cannot be deleted or replaced by accident.",
  severity: "high",
  enforcement: "mandatory",
  settings: inProduction,
  *check({ circumstances }) {
    if (!circumstances.protect)
      yield violation("", "it is not protected", "Pass `{ protect: true }` as its options.");
  },
});
