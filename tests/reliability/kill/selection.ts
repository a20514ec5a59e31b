import { isLongRun } from "../figures";
import type { Blow } from "./blows";
import type { Place } from "./gate";
import type { Deed } from "./lane";

/** The actions of a round, in an order in which each finds what it requires. */
export const deeds: Deed[] = isLongRun
  ? ["create", "update", "rotate", "replace", "delete"]
  : ["create", "update", "delete"];

/** The requests that change something. */
export function writesOf(places: Place[]): Place[] {
  return places.filter(({ request }) => !request.startsWith("GET "));
}

/** Requests after which the sender cannot know if they were carried out. */
export function mostDoubtful(blows: Blow[]): Blow[] {
  return blows.filter(({ manner }) => manner === "when it is carried out");
}

/** The last request that reads: everything is done, and the engine does not know it. */
export function lastRead(places: Place[]): Place[] {
  return places.filter(({ request }) => request.startsWith("GET ")).slice(-1);
}

/**
 * Returns the requests of a folder's deployment that the next run can resume immediately: before the first revision,
 * no owner is known, so the deployment of an interrupted create stays for some time.
 */
export function takenUpAtOnce(
  { deed, places }: { deed: Deed; places: Place[] },
  blows: (places: Place[]) => Blow[],
): Blow[] {
  const writes = writesOf(places);
  if (deed !== "create" && deed !== "replace") return blows(writes);
  const patch = writes.findIndex(({ request }) => request.startsWith("PATCH "));
  return [...mostDoubtful(blows(writes.slice(patch, patch + 1))), ...blows(writes.slice(patch + 1))];
}
