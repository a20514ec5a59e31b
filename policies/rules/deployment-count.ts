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
        `it holds ${deployments.length} deployments`,
        `Remove some, or split the stack: at most ${max} may be in one stack.`,
      );
  },
});
