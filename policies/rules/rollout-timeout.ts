import { secondsOf } from "../deployment/duration";
import type { ResourceInputs } from "../resource/inputs";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { text } from "../pack/settings";

const field = "rollout.timeout";
const defaultSeconds = 30 * 60;
const form = { pattern: "^([0-9]+h([0-9]+m)?([0-9]+s)?|[0-9]+m([0-9]+s)?|[0-9]+s)$" };

export const rolloutTimeout = deploymentPolicy({
  name: "rollout-timeout",
  text: "Rollout timeouts must be long enough for rollouts to succeed and short enough not to block the pipeline.",
  severity: "low",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    min: text("Minimum timeout.", "1m", form),
    max: text("Maximum timeout.", "1h", form),
  },
  *check(deployment, bounds) {
    yield deployment.judge(field, () => {
      const beyond = boundBeyond(deployment, bounds);
      if (!beyond) return undefined;
      const value = bounds[beyond];
      return beyond === "min"
        ? { problem: `is below ${value}`, fix: `Set it to ${value} or more.` }
        : { problem: `is above ${value}`, fix: `Set it to ${value} or less.` };
    });
  },
  *remedy(deployment, bounds) {
    const beyond = boundBeyond(deployment, bounds);
    if (beyond) yield { field, value: bounds[beyond] };
  },
});

/**
 * Returns the limit that the timeout violates, if any. `rollout.timeout` takes precedence over `opts.customTimeouts`.
 */
function boundBeyond(
  deployment: ResourceInputs,
  { min, max }: { min: string; max: string },
): "min" | "max" | undefined {
  const given = deployment.at(field);
  const { create, update } = deployment.circumstances.timeouts;
  const options = [create, update].map((seconds) => (seconds > 0 ? seconds : defaultSeconds));
  const seconds = typeof given === "string" ? [secondsOf(given)] : options;
  if (seconds.some((length) => length !== undefined && length < secondsOf(min)!)) return "min";
  return seconds.some((length) => length !== undefined && length > secondsOf(max)!) ? "max" : undefined;
}
