import type { Expected } from "../expected/expected";
import type { Situation } from "../expected/situation";
import type { News } from "../record/ledger";
import type { Failure, Up } from "../../../provider/stack";
import type { Said } from "../../../provider/recorded-log";
import type { Answers } from "../world/agents";
import type { Fault, ProviderProcess } from "../world/provider-process";

/** Observed part of an `up` for a resource. */
export interface Action extends Situation {
  expected: Expected;
  up: Up;
  /** ID of the deployment that is in the state after the `up`. */
  id: string | undefined;
  /** URL of the deployment in the state. */
  url: string | undefined;
  process: ProviderProcess;
  fault: Fault | undefined;
  /** New deployments and revisions of the resource. */
  news: News;
  /** Change that another actor made during the `up`. */
  meanwhile: "push" | "delete" | undefined;
  /** Behavior of the agents, keyed by revision. */
  answers: ReadonlyMap<string, Answers>;
  said: Said[];
}

/** Returns the error of an `up`, or `undefined` if it succeeded. */
export function failureOf({ up }: Pick<Action, "up">): Failure | undefined {
  if (up.checkFailures.length > 0) return new Error(JSON.stringify(up.checkFailures));
  return up.failure;
}

/** Returns the error code of a failure, such as `rollout_failed`. */
export function codeOf(failure: Error | undefined): string | undefined {
  return failure && /^agentserver (\w+)$/.exec(String(failure))?.[1];
}

/** True if the result is in the state: the `up` succeeded, or failed with a state to store. */
export function isKept(action: Action): boolean {
  const failure = failureOf(action);
  return !failure || failure.id !== undefined;
}

/** True if another actor changed the relevant deployment while the provider was reading it. */
export function isDisturbed({ meanwhile, kept, before, program }: Action): boolean {
  const isAdoption = !kept && before.some(({ settings }) => settings.name === program.name);
  return meanwhile === "delete" || (meanwhile === "push" && isAdoption);
}
