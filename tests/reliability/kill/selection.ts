import { isLongRun } from "../figures";
import type { Fault } from "./faults";
import type { Place } from "./gate";
import type { ScenarioAction } from "./scenario";

/** Actions of a round, in an order in which each action has everything that it requires. */
export const actions: ScenarioAction[] = isLongRun
  ? ["create", "update", "rotate", "replace", "delete"]
  : ["create", "update", "delete"];

/** Returns the write requests. */
export function writesOf(places: Place[]): Place[] {
  return places.filter(({ request }) => !request.startsWith("GET "));
}

/** Returns the faults after which the sender cannot know whether the server has processed the request. */
export function uncertainWrites(faults: Fault[]): Fault[] {
  return faults.filter(({ manner }) => manner === "when it is carried out");
}

/** Returns the last read. At this point everything has been done, but the engine does not know it yet. */
export function lastRead(places: Place[]): Place[] {
  return places.filter(({ request }) => request.startsWith("GET ")).slice(-1);
}

/**
 * Returns the faults after which the next run can immediately resume a deployment from a local folder. The owner is not
 * known before the first revision, so the deployment of an interrupted create remains for some time.
 */
export function resumableImmediately(
  { action, places }: { action: ScenarioAction; places: Place[] },
  faults: (places: Place[]) => Fault[],
): Fault[] {
  const writes = writesOf(places);
  if (action !== "create" && action !== "replace") return faults(writes);
  const patch = writes.findIndex(({ request }) => request.startsWith("PATCH "));
  return [...uncertainWrites(faults(writes.slice(patch, patch + 1))), ...faults(writes.slice(patch + 1))];
}
