import type { Policy } from "../../../policies/pack/record";
import { policies } from "../../../policies/rules/index";
import { escapeText } from "./members";

/** Returns one section per policy of the policy pack, with its settings. */
export function policySections(): string[] {
  return policies.flatMap((policy) => [
    `## \`${policy.name}\``,
    escapeText(policy.text),
    `Checks ${subjectOf(policy)}. Severity: ${policy.severity}. Default level: ${policy.enforcement}. Remediation: ${
      policy.kind === "resource" && policy.remedy ? "yes" : "no"
    }.`,
    settingsTable(policy),
  ]);
}

function subjectOf(policy: Policy): string {
  if (policy.kind === "stack") return "all deployments of a stack together";
  return policy.about.map((kind) => `\`${kind}\``).join(", ");
}

function settingsTable({ settings }: Policy): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const cells = [
      `\`${name}\``,
      typeOf(setting),
      escapeText(setting.description),
      defaultOf(setting.default),
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return ["| setting | type | description | default |", "|---|---|---|---|", ...rows].join("\n");
}

function typeOf({ type, items }: { type?: unknown; items?: unknown }): string {
  const itemType = (items as { type?: string } | undefined)?.type;
  return type === "array" ? `list of ${itemType ?? "any"}` : String(type);
}

function defaultOf(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
