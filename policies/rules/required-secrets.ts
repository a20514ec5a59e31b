import { violation } from "../resource/outcome";
import { secretNames } from "../deployment/secret-names";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { texts } from "../pack/settings";

export const requiredSecrets = deploymentPolicy({
  name: "required-secrets",
  text: "All deployments must have the required secrets.",
  severity: "medium",
  enforcement: "mandatory",
  settings: { ...inAllStacks, names: texts("Names of the required secrets.") },
  *check(deployment, { names }) {
    if (names.length === 0) return;
    const given = secretNames(deployment) ?? [];
    for (const name of names.filter((wanted) => !given.includes(wanted)))
      yield violation(
        "secrets",
        `lack ${name}`,
        `Add it, for example with \`pulumi config set --secret\` and \`config.requireSecret\`.`,
      );
  },
});
