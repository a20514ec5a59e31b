import { matches } from "../resource/pattern";
import { repositoryAddress } from "../deployment/repository";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { texts } from "../pack/settings";

export const allowedRepositories = deploymentPolicy({
  name: "allowed-repositories",
  text: "Agents must be built from allowed repositories.",
  severity: "high",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    allow: texts(
      "Patterns for allowed repositories, such as `github.com/acme/*`. If empty, all are allowed.",
    ),
  },
  *check(deployment, { allow }) {
    if (allow.length === 0) return;
    yield deployment.judge("sourceConfig.repoUrl", (url) =>
      typeof url !== "string" || matches(repositoryAddress(url), allow)
        ? undefined
        : {
            problem: "is not an allowed repository",
            fix: `Use one of ${allow.join(", ")}, or add this repository to the policy's list.`,
          },
    );
  },
});
