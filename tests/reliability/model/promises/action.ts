import type { Expected } from "../expected/expected";
import type { Situation } from "../expected/situation";
import type { News } from "../record/ledger";
import type { Failure, Up } from "../../../provider/stack";
import type { Said } from "../../../provider/recorded-log";
import type { Answers } from "../world/agents";
import type { Fault, ProviderProcess } from "../world/provider-process";

/** Observed part of an `up` for one resource. */
export interface Action extends Situation {
  expected: Expected;
  up: Up;
  /** The deployment in state afterwards. */
  id: string | undefined;
  /** The address in state. */
  url: string | undefined;
  process: ProviderProcess;
  fault: Fault | undefined;
  /** New deployments and revisions of the resource. */
  news: News;
  /** Changes of others in the meantime. */
  meanwhile: "push" | "delete" | undefined;
  /** Behavior of the agents of revisions. */
  answers: ReadonlyMap<string, Answers>;
  /** Log messages. */
  said: Said[];
}

/** The error, if any. */
export function failureOf({ up }: Pick<Action, "up">): Failure | undefined {
  if (up.checkFailures.length > 0) return new Error(JSON.stringify(up.checkFailures));
  return up.failure;
}

/** Returns the error code of a failure, such as `rollout_failed`. */
export function codeOf(failure: Error | undefined): string | undefined {
  return failure && /^agentserver (\w+)$/.exec(String(failure))?.[1];
}

/** True if the stack has the result: the `up` succeeded, or failed with a state to keep. */
export function isKept(action: Action): boolean {
  const failure = failureOf(action);
  return !failure || failure.id !== undefined;
}

/** True if others have changed the relevant deployment while the provider read it. */
export function isDisturbed({ meanwhile, kept, before, program }: Action): boolean {
  const isAdoption = !kept && before.some(({ settings }) => settings.name === program.name);
  return meanwhile === "delete" || (meanwhile === "push" && isAdoption);
}
