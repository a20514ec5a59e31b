import type { ResourceInputs } from "../resource/inputs";
import { specPaths } from "../deployment/resource-spec";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { texts } from "../pack/settings";

const keys = ["minScale", "queueMinScale"];

export const scaleToZero = deploymentPolicy({
  name: "scale-to-zero",
  text: "Only deployments of a suitable type may scale to zero.",
  severity: "medium",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    types: texts("Deployment types that can scale to zero.", ["dev_zero", "dev_free_zero"]),
  },
  *check(deployment, { types }) {
    for (const path of keys.flatMap((key) => specPaths(deployment, key)))
      yield deployment.judge(path, (value) =>
        value === 0 && !can(deployment, types)
          ? { problem: "is 0, which this deployment type does not support", fix: "Set it to 1 or more." }
          : undefined,
      );
  },
  *remedy(deployment, { types }) {
    for (const path of keys.flatMap((key) => specPaths(deployment, key)))
      if (deployment.valueAt(path) === 0 && !can(deployment, types)) yield { field: path, value: 1 };
  },
});

function can(deployment: ResourceInputs, types: string[]): boolean {
  return types.includes(String(deployment.at("sourceConfig.deploymentType")));
}
