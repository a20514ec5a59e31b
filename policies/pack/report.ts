import type { ReportViolation } from "@pulumi/policy";
import type { Outcome, Violation } from "../resource/outcome";

/**
 * Reports outcomes about a subject such as `Deployment "agent"`. Fields that are not known yet are reported as advice
 * at any enforcement level, because a preview must not fail because of them.
 */
export function reportOutcomes(subject: string, outcomes: Iterable<Outcome>, report: ReportViolation): void {
  const unjudged = new Set<string>();
  for (const outcome of outcomes) {
    if (outcome?.kind === "unjudged") unjudged.add(readable(outcome.field));
    else if (outcome) report(messageOf(subject, outcome));
  }
  if (unjudged.size === 0) return;
  const fields = [...unjudged].join(", ");
  const message = `${subject}: cannot be evaluated yet: ${fields} will only be known during the update.`;
  // The SDK also accepts this form, which its types omit.
  report({ message, enforcementLevel: "advisory", severity: "low" } as unknown as string);
}

/** Reports a violation regardless of the policy's enforcement level. */
export function reportMandatory(subject: string, one: Violation, report: ReportViolation): void {
  // The SDK also accepts this form, which its types omit.
  report({ message: messageOf(subject, one), enforcementLevel: "mandatory" } as unknown as string);
}

/** Formats the message of a violation: subject, field, problem, and fix. */
function messageOf(subject: string, { field, problem, fix }: Violation): string {
  return `${subject}: ${field === "" ? problem : `${readable(field)} ${problem}`}. ${fix}`;
}

/** Formats a path: `sidecars.0.image` becomes `sidecars[0].image`. */
function readable(field: string): string {
  return field.replace(/\.(\d+)(?=\.|$)/g, "[$1]");
}
