import { isLongRun } from "../figures";
import type { Fault } from "./faults";
import type { Place } from "./gate";
import type { ScenarioAction } from "./scenario";

/** The actions of a round, in an order in which each finds what it requires. */
export const actions: ScenarioAction[] = isLongRun
  ? ["create", "update", "rotate", "replace", "delete"]
  : ["create", "update", "delete"];

/** The requests that change something. */
export function writesOf(places: Place[]): Place[] {
  return places.filter(({ request }) => !request.startsWith("GET "));
}

/** Requests after which the sender cannot know if they were carried out. */
export function uncertainWrites(faults: Fault[]): Fault[] {
  return faults.filter(({ manner }) => manner === "when it is carried out");
}

/** The last request that reads: everything is done, and the engine does not know it. */
export function lastRead(places: Place[]): Place[] {
  return places.filter(({ request }) => request.startsWith("GET ")).slice(-1);
}

/**
 * Returns the requests of a folder's deployment that the next run can resume immediately: before the first revision,
 * no owner is known, so the deployment of an interrupted create stays for some time.
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
