import { deploymentPolicy, inProduction } from "../pack/record";
import { yesOrNo } from "../pack/settings";

export const rolloutVerified = deploymentPolicy({
  name: "rollout-verified",
  text: "`pulumi up` must wait for the rollout and verify that the new revision responds.",
  severity: "medium",
  enforcement: "mandatory",
  settings: {
    ...inProduction,
    smokeRun: yesOrNo("True if a smoke run (`rollout.verify.run`) is also required.", false),
  },
  *check(deployment, { smokeRun }) {
    yield deployment.judge("rollout.wait", (wait) =>
      wait === false ? { problem: "is off", fix: "Remove it, or set it to true." } : undefined,
    );
    yield deployment.judge("rollout.verify", (verify) =>
      verify === undefined ? { problem: "is missing", fix: "Add at least `verify: {}`." } : undefined,
    );
    yield deployment.judge("rollout.verify.ok", (ok) =>
      ok === false ? { problem: "is off", fix: "Remove it, or set it to true." } : undefined,
    );
    if (smokeRun)
      yield deployment.judge("rollout.verify.run", (run) =>
        run === undefined
          ? { problem: "is missing", fix: "Add `graph` and `run: { input: … }` to `rollout.verify`." }
          : undefined,
      );
  },
  *remedy(deployment) {
    if (deployment.at("rollout.wait") === false) yield { field: "rollout.wait", value: true };
    if (deployment.at("rollout.verify") === undefined) yield { field: "rollout.verify", value: {} };
    if (deployment.at("rollout.verify.ok") === false) yield { field: "rollout.verify.ok", value: true };
  },
});
