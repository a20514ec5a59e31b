import { isLongRun } from "../figures";
import type { Blow } from "./blows";
import type { Place } from "./gate";
import type { Deed } from "./lane";

/** The deeds of a round, in an order in which each finds what it needs. */
export const deeds: Deed[] = isLongRun
  ? ["create", "update", "rotate", "replace", "delete"]
  : ["create", "update", "delete"];

/** The requests that change something. */
export function writesOf(places: Place[]): Place[] {
  return places.filter(({ request }) => !request.startsWith("GET "));
}

/** Where the sender cannot know whether its request was carried out. */
export function mostDoubtful(blows: Blow[]): Blow[] {
  return blows.filter(({ manner }) => manner === "when it is carried out");
}

/** The last request that reads: all is done by then, and the engine does not know it. */
export function lastRead(places: Place[]): Place[] {
  return places.filter(({ request }) => request.startsWith("GET ")).slice(-1);
}

/**
 * Of a folder's deployment, what the next run can take up at once: until its first revision is made, nobody can be known
 * to own a deployment, and a create that was cut off before stays as it is for some time.
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
