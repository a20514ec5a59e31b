import { matches, productionStacks } from "../resource/pattern";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { texts } from "../pack/settings";

const environments = ["development", "staging", "production"] as const;

export const environmentOfStack = deploymentPolicy({
  name: "environment-of-stack",
  text: "Stacks must deploy agents only to their own environment.",
  severity: "high",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    development: texts("Patterns for stacks that deploy to development."),
    staging: texts("Patterns for stacks that deploy to staging."),
    production: texts("Patterns for stacks that deploy to production.", productionStacks),
  },
  *check(deployment, settings) {
    const { stack } = deployment.circumstances;
    const allowed = environments.filter((environment) => matches(stack, settings[environment]));
    const isReserved = (environment: string) =>
      environments.some((one) => one === environment && settings[one].length > 0);
    yield deployment.judge("agent.environment", (environment) => {
      if (typeof environment !== "string") return undefined;
      if (allowed.length > 0 ? allowed.some((one) => one === environment) : !isReserved(environment))
        return undefined;
      const own = allowed.length > 0 ? `This stack is for ${allowed.join(" and ")}.` : "";
      return {
        problem: `is ${environment}, which is not the environment of stack ${stack}`,
        fix: `${own} Deploy it from a stack for ${environment}, or give the agent another environment.`.trim(),
      };
    });
  },
});
