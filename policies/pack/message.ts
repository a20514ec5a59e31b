import type { Violation } from "../deployment/outcome";

/** A violation as people read it: what it is about, field, problem, and what to do. */
export function messageOf(subject: string, { field, problem, fix }: Violation): string {
  return `${subject}: ${field === "" ? problem : `${readable(field)} ${problem}`}. ${fix}`;
}

/** What a preview says about fields that only the update will know. */
export function notYetJudged(subject: string, fields: string[]): string {
  return `${subject}: could not judge yet: ${fields.map(readable).join(", ")} will be known during the update.`;
}

/** `sidecars.0.image` → `sidecars[0].image` */
function readable(field: string): string {
  return field.replace(/\.(\d+)(?=\.|$)/g, "[$1]");
}
