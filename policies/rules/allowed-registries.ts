import { imagePaths, imageRepository } from "../deployment/images";
import { matches } from "../resource/pattern";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { texts } from "../pack/settings";

export const allowedRegistries = deploymentPolicy({
  name: "allowed-registries",
  text: "Container images, including those of sidecars and volumes, must come from allowed registries.",
  severity: "high",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    allow: texts(
      "Patterns for allowed image repositories, such as `ghcr.io/acme/**`. If empty, all are allowed.",
    ),
  },
  *check(deployment, { allow }) {
    if (allow.length === 0) return;
    for (const path of imagePaths(deployment))
      yield deployment.judge(path, (image) =>
        typeof image !== "string" || matches(imageRepository(image), allow)
          ? undefined
          : {
              problem: "is not from an allowed registry",
              fix: `Use one of ${allow.join(", ")}, or add this registry to the policy's list.`,
            },
      );
  },
});
