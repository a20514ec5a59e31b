/** Problem with a field, and how to fix it. Neither text contains the value of the field. */
export interface Objection {
  problem: string;
  fix: string;
}

/** A field that violates a rule. */
export interface Violation extends Objection {
  kind: "violation";
  /** Path of the field, such as `sourceConfig.buildOnPush`; empty if the violation does not concern a field. */
  field: string;
}

/** A field that a rule checks and whose value is not known before the update. */
interface Unjudged {
  kind: "unjudged";
  field: string;
}

/** Outcome of a rule for one field; `undefined` if the field complies. */
export type Outcome = Violation | Unjudged | undefined;

/** Creates a violation of the current rule. */
export function violation(field: string, problem: string, fix: string): Violation {
  return { kind: "violation", field, problem, fix };
}
