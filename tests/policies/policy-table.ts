import { productionStacks } from "../../policies/resource/pattern";
import type { Policy } from "../../policies/pack/record";

/** Returns the table of policies in `policies/README.md`. */
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

/** Returns the table of settings in `policies/README.md`. Omits the `stacks` setting. */
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
