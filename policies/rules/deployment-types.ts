import { matches, productionStacks } from "../resource/pattern";
import { sourceKind } from "../deployment/source";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import type { Setting } from "../pack/settings";

interface Rule {
  stacks: string[];
  allow: string[];
}

const textList = { type: "array" as const, items: { type: "string" as const, minLength: 1 } };

const rules: Setting<Rule[]> = {
  type: "array",
  items: {
    type: "object",
    properties: { stacks: textList, allow: textList },
    required: ["stacks", "allow"],
    additionalProperties: false,
  },
  description: "Allowed deployment types by stack. The first matching entry applies.",
  default: [{ stacks: productionStacks, allow: ["prod", "dedicated"] }],
};

export const deploymentTypes = deploymentPolicy({
  name: "deployment-types",
  text: "Deployments must have a type that is allowed in the stack.",
  severity: "medium",
  enforcement: "mandatory",
  settings: { ...inAllStacks, rules },
  *check(deployment, { rules }) {
    const rule = rules.find(({ stacks }) => matches(deployment.circumstances.stack, stacks));
    if (!rule) return;
    const fix = `Use one of ${rule.allow.join(", ")}.`;
    yield deployment.judge("sourceConfig.deploymentType", (type) => {
      if (typeof type === "string")
        return rule.allow.includes(type) ? undefined : { problem: "is not allowed in this stack", fix };
      return sourceKind(deployment) === "repository"
        ? { problem: "is not set, so the control plane chooses the value", fix }
        : undefined;
    });
  },
});
