import type { Expected } from "../expected/expected";
import type { Situation } from "../expected/situation";
import type { News } from "../record/ledger";
import type { Failure, Up } from "../../../provider/stack";
import type { Said } from "../../../provider/recorded-log";
import type { Answers } from "../world/agents";
import type { Fault, ProviderProcess } from "../world/provider-process";

/** A resource's part of an `up`, as it came about. */
export interface Action extends Situation {
  expected: Expected;
  up: Up;
  /** The deployment that the stack has after it. */
  id: string | undefined;
  /** The address that it shows for it. */
  url: string | undefined;
  process: ProviderProcess;
  fault: Fault | undefined;
  /** What the resource made. */
  news: News;
  /** What somebody else did meanwhile. */
  meanwhile: "push" | "delete" | undefined;
  /** How the agents of revisions answer. */
  answers: ReadonlyMap<string, Answers>;
  /** What was said in it. */
  said: Said[];
}

/** What went wrong, if anything did. */
export function failureOf({ up }: Pick<Action, "up">): Failure | undefined {
  if (up.checkFailures.length > 0) return new Error(JSON.stringify(up.checkFailures));
  return up.failure;
}

/** The code of a failure, such as `rollout_failed`. */
export function codeOf(failure: Error | undefined): string | undefined {
  return failure && /^agentserver (\w+)$/.exec(String(failure))?.[1];
}

/** Whether the stack has the result: the `up` succeeded, or failed with a state to keep. */
export function isKept(action: Action): boolean {
  const failure = failureOf(action);
  return !failure || failure.id !== undefined;
}

/** Whether somebody else has changed what the expectation was about while the provider was looking at it. */
export function isDisturbed({ meanwhile, kept, before, program }: Action): boolean {
  const isAdoption = !kept && before.some(({ settings }) => settings.name === program.name);
  return meanwhile === "delete" || (meanwhile === "push" && isAdoption);
}
