/** Problem with a field, and its fix. Neither text repeats the field's value. */
export interface Objection {
  problem: string;
  fix: string;
}

/** A field that breaks a rule. */
export interface Violation extends Objection {
  kind: "violation";
  /** Path of the field, such as `sourceConfig.buildOnPush`; empty when it is not about one. */
  field: string;
}

/** A field that a rule is about, and that is not known before the update. */
interface Unjudged {
  kind: "unjudged";
  field: string;
}

/** Outcome of a rule for one field; `undefined` if the field complies. */
export type Outcome = Violation | Unjudged | undefined;

/** A violation of the rule at hand. */
export function violation(field: string, problem: string, fix: string): Violation {
  return { kind: "violation", field, problem, fix };
}
