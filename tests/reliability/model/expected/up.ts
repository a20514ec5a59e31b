import { asked } from "./asked";
import { expectCreate } from "./create";
import type { Expected } from "./expected";
import { ownerShown, recordShown, type Situation } from "./situation";
import { expectUpdate } from "./update";

/** Returns the expected actions of an `up` for one resource. */
export function expectUp(situation: Situation): Expected {
  const { kept, program, server } = situation;
  if (!kept) return expectCreate(situation);
  if (asked(kept.accepted, program, server.dialect).replaces)
    return expectReplacement({ ...situation, kept });
  return expectUpdate({ ...situation, kept });
}

/**
 * Returns the expected actions of a replacement. It deletes the old deployment first, unless the new one could not be
 * created afterward.
 */
function expectReplacement(situation: Situation & { kept: NonNullable<Situation["kept"]> }): Expected {
  const { kept, program, before, server, resource } = situation;
  const there = before.find(({ id }) => id === kept.id);
  if (!there) return expectCreate(situation);
  const owner = ownerShown(situation, recordShown(situation, there));
  if (owner !== undefined && owner !== resource) return { kind: "refused", code: "name_conflict" };
  const others = before.filter(({ id }) => id !== kept.id);
  const isTaken = others.some(({ settings }) => settings.name === program.name);
  const isSeen = server.hides !== "everything" && there.settings.name !== program.name;
  if (isTaken && isSeen && program.adopt !== "always") return { kind: "refused", code: "name_conflict" };
  const next = expectCreate({ ...situation, before: others });
  return next.kind === "nothing" ? next : { ...next, deletes: kept.id };
}
