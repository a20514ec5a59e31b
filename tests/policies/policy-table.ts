import { productionStacks } from "../../policies/resource/pattern";
import type { Policy } from "../../policies/pack/record";

/** The policies as a table in Markdown, as `policies/README.md` has it. */
export function policyTable(policies: readonly Policy[]): string {
  const rows = policies.map((policy) => [
    `\`${policy.name}\``,
    policy.text,
    isForProduction(policy) ? "production" : "all",
    policy.severity,
    policy.enforcement,
    policy.kind === "resource" && policy.remedy ? "yes" : "",
  ]);
  const header = ["policy", "requirement", "stacks", "severity", "level", "remediation"];
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The settings of the policies that have any of their own, as a table in Markdown. */
export function settingsTable(policies: readonly Policy[]): string {
  const rows = policies.flatMap(({ name, settings }) =>
    Object.entries(settings as Record<string, { description: string; default: unknown }>)
      .filter(([setting]) => setting !== "stacks")
      .map(([setting, { description, default: value }]) => [
        `\`${name}\``,
        `\`${setting}\``,
        description,
        `\`${JSON.stringify(value)}\``,
      ]),
  );
  const header = ["policy", "setting", "description", "default"];
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function isForProduction({ settings }: Policy): boolean {
  return JSON.stringify(settings.stacks.default) === JSON.stringify(productionStacks);
}
