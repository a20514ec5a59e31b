import { violation } from "../resource/outcome";
import { notKnownYet } from "../resource/unknown";
import { deploymentPolicy, inProduction } from "../pack/record";

const replacing = [
  "name",
  "agent",
  "source",
  "sourceConfig.integrationId",
  "sourceConfig.repoUrl",
  "sourceConfig.deploymentType",
  "sourceConfig.listenerId",
  "sourceConfig.listenerConfig.k8sNamespace",
  "sourceConfig.templateId",
  "shareable",
];

export const replacingInputsKnown = deploymentPolicy({
  name: "replacing-inputs-known",
  text: "Inputs whose changes replace a deployment must be known in the preview, so that the preview shows every replacement.",
  severity: "high",
  enforcement: "mandatory",
  settings: inProduction,
  *check(deployment) {
    for (const field of replacing)
      if (deployment.valueAt(field) === notKnownYet)
        yield violation(
          field,
          "is known only during the update, and changing it replaces the deployment",
          "Set it to a fixed value in the program or in the configuration.",
        );
  },
});
