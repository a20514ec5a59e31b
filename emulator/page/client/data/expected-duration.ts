import { changeOf, type RolloutChange } from "../../../../wire/rollouts/change";
import { rolloutDuration, usualRange } from "../../../../wire/rollouts/duration";
import { duration } from "./time";
import type { Revision } from "./types";

/** Usual duration of rollouts that are similar to one rollout of a deployment. */
export interface ExpectedDuration {
  /** Usual range in milliseconds; `undefined` if no similar rollout is known. */
  range: { low: number; high: number } | undefined;
  /** Sentence that states the range, or why there is none. */
  text: string;
}

const kinds: Record<Exclude<RolloutChange, "first">, string> = {
  source: "with a new source",
  settings: "with an unchanged source",
};

/**
 * Returns the usual duration of rollouts that are similar to the rollout of a revision. Similar rollouts are earlier,
 * successful rollouts of the deployment with the same kind of change. The provider uses the same rules when it waits
 * for a rollout.
 *
 * @param revisions - Revisions of the deployment, newest first.
 * @param hasMore - True if the deployment has older revisions.
 */
export function expectedDuration(
  revisions: readonly Revision[],
  revision: Revision,
  hasMore: boolean,
): ExpectedDuration {
  const place = revisions.indexOf(revision);
  const isFirst = place === revisions.length - 1 && !hasMore;
  if (isFirst)
    return { range: undefined, text: "There is no usual duration for the first rollout of a deployment." };
  const change = changeOf(revision, revisions[place + 1], revision);
  if (!change || change === "first")
    return {
      range: undefined,
      text: "There is no usual duration, because it is unknown what this rollout changed.",
    };
  const durations = revisions.flatMap((other, index) => {
    const isSimilar = index > place && changeOf(other, revisions[index + 1], revision) === change;
    return isSimilar ? (rolloutDuration(other, revisions[index - 1]) ?? []) : [];
  });
  const range = usualRange(durations);
  if (!range)
    return {
      range,
      text: `There is no usual duration, because no earlier rollout ${kinds[change]} was successful.`,
    };
  const { low, high } = range;
  const span = low === high ? duration(low) : `${duration(low)} to ${duration(high)}`;
  const basis = durations.length === 1 ? "1 earlier rollout" : `${durations.length} earlier rollouts`;
  return { range, text: `Rollouts ${kinds[change]} usually take ${span} (${basis}).` };
}
