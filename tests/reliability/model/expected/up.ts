import { asked } from "./asked";
import { expectCreate } from "./create";
import type { Expected } from "./expected";
import { ownerShown, recordShown, type Situation } from "./situation";
import { expectUpdate } from "./update";

/** What a resource's part of an `up` asks for. */
export function expectUp(situation: Situation): Expected {
  const { kept, program, server } = situation;
  if (!kept) return expectCreate(situation);
  if (asked(kept.accepted, program, server.dialect).replaces)
    return expectReplacement({ ...situation, kept });
  return expectUpdate({ ...situation, kept });
}

/** A replacement deletes first; not for a deployment that could not be made then. */
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
