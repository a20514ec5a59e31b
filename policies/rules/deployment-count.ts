import { violation } from "../resource/outcome";
import { inAllStacks, stackPolicy } from "../pack/record";
import { wholeNumber } from "../pack/settings";

export const deploymentCount = stackPolicy({
  name: "deployment-count",
  text: "The number of deployments in a stack must not exceed the limit.",
  severity: "low",
  enforcement: "mandatory",
  settings: { ...inAllStacks, max: wholeNumber("Maximum number of deployments in one stack.", 20) },
  *check(deployments, { max }) {
    if (deployments.length > max)
      yield violation(
        "",
        `it contains ${deployments.length} deployments`,
        `Remove some deployments or split the stack. A stack can contain at most ${max} deployments.`,
      );
  },
});
