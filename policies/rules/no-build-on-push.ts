import { sourceKind } from "../deployment/source";
import { deploymentPolicy, inProduction } from "../pack/record";

const field = "sourceConfig.buildOnPush";

export const noBuildOnPush = deploymentPolicy({
  name: "no-build-on-push",
  text: "Pushes to a repository must not create revisions. Only `pulumi up` may create them.",
  severity: "high",
  enforcement: "mandatory",
  settings: inProduction,
  *check(deployment) {
    yield deployment.judge(field, (value) => {
      const fix = "Set it to false.";
      if (value === true) return { problem: "is on", fix };
      if (value === false || sourceKind(deployment) !== "repository") return undefined;
      return { problem: "is not set, so the control plane chooses the value", fix };
    });
  },
  *remedy(deployment) {
    const value = deployment.at(field);
    if (value === true || (value === undefined && sourceKind(deployment) === "repository"))
      yield { field, value: false };
  },
});
