import { deploymentPolicy, inProduction } from "../pack/record";

const field = "rollout.onFailure";
const wait = "rollout.wait";

export const rollbackOnFailure = deploymentPolicy({
  name: "rollback-on-failure",
  text: "Failed rollouts must be rolled back to the last good revision.",
  severity: "medium",
  enforcement: "mandatory",
  settings: inProduction,
  *check(deployment) {
    yield deployment.judge(field, (value) =>
      value === "rollback" ? undefined : { problem: 'is not "rollback"', fix: 'Set it to "rollback".' },
    );
    yield deployment.judge(wait, (value) =>
      value === false
        ? { problem: "is false, so a failure would not be noticed", fix: "Remove it, or set it to true." }
        : undefined,
    );
  },
  *remedy(deployment) {
    if (deployment.at(field) !== "rollback") yield { field, value: "rollback" };
    if (deployment.at(wait) === false) yield { field: wait, value: true };
  },
});
