import { isSelfHosted } from "../deployment/source";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { text, wholeNumber, yesOrNo } from "../pack/settings";

export const deploymentNames = deploymentPolicy({
  name: "deployment-names",
  text: "Names must have a format and length that all parts of the control plane support.",
  severity: "medium",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    pattern: text(
      "Regular expression that must match the whole name.",
      "[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?",
      { format: "regex" },
    ),
    maxLength: wholeNumber("Maximum number of characters in a name.", 63, 1),
    selfHostedMaxLength: wholeNumber(
      "Maximum number of characters on a self-hosted control plane, where deployments with longer names never become ready.",
      21,
      1,
    ),
    selfHosted: yesOrNo(
      "True if all deployments are self-hosted. Otherwise, only deployments with a `listenerId` or the `external_docker` source are treated as self-hosted.",
      false,
    ),
  },
  *check(deployment, { pattern, maxLength, selfHostedMaxLength, selfHosted }) {
    yield deployment.judge("name", (name) =>
      typeof name !== "string" || new RegExp(`^(?:${pattern})$`).test(name)
        ? undefined
        : {
            problem: `does not match ${pattern}`,
            fix: "Choose a different name; this replaces the deployment.",
          },
    );
    yield deployment.judge("name", (name) => {
      if (typeof name !== "string") return undefined;
      const limit =
        selfHosted || isSelfHosted(deployment) ? Math.min(maxLength, selfHostedMaxLength) : maxLength;
      return name.length > limit
        ? { problem: `has ${name.length} characters`, fix: `Use at most ${limit}.` }
        : undefined;
    });
  },
});
