/** What is wrong with a field, and what to do about it. Neither text repeats what the field holds. */
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

/** What a rule has to say about one field; nothing when it is as it should be. */
export type Outcome = Violation | Unjudged | undefined;

/** A violation of the rule at hand. */
export function violation(field: string, problem: string, fix: string): Violation {
  return { kind: "violation", field, problem, fix };
}
