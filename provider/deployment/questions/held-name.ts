import { describeConflict } from "../rules/name-conflict";
import { isCutOffCreate } from "../cut-off-create";
import { isBeingDeleted } from "../presence";
import { ownerOf } from "../ownership-tag";
import { failure, warning } from "../../resource/finding";
import type { Question, Sources } from "../../resource/checks";
import { makesOne } from "../rules/makes-one";
import type { Siblings } from "./siblings";
import type { Wanted } from "../../resource/wanted";

/** Whether somebody holds the name of a deployment that is to be made. */
export const askName =
  (siblings: Siblings): Question =>
  async (wanted, sources) => {
    const { client, dialect, findByName, ownerId, once, signal } = sources;
    const name = wanted.text("name");
    if (!name || !makesOne(wanted, dialect) || wanted.isUnknown("adopt")) return [];
    const found = await once(`name ${name}`, () => findByName(name));
    const live = found.filter((record) => !isBeingDeleted(record));
    const leaving = found.find(isBeingDeleted);
    // A replacement deletes its own deployment first; one whose owner is not reported may be just that.
    const inTheWay = wanted.isNew || wanted.changes("name") ? live : live.filter((one) => ownerOf(one));
    const ours = live.find((record) => ownerOf(record) === ownerId);
    const adopt = wanted.text("adopt") ?? "ifOwned";
    if (ours && !wanted.isNew) return [];
    const isLeft = () => once(`create of ${ours!.id}`, () => isCutOffCreate(client, ours!, signal));
    if (ours && adopt !== "never" && (await isLeft())) return [];
    const other = inTheWay[0];
    if (other && ownerOf(other) !== ownerId && siblings.own(ownerOf(other)))
      return [
        warning(
          "name",
          `is held by another resource of this program (${other.id}), which has to release it first: set deleteBeforeReplace there and make this resource depend on it (dependsOn)`,
        ),
      ];
    if (other && adopt !== "always") return [failure("name", describeConflict(name, other, ownerId))];
    if (!other && leaving)
      return [
        warning(
          "name",
          `is still held by a deployment that is being deleted (${leaving.id}); the new deployment is created as soon as the name is released`,
        ),
      ];
    return [];
  };

/** Whether a deployment that exists will be adopted as it is: then nothing that making one needs is asked for. */
export async function adoptsExisting(wanted: Wanted, { findByName, once }: Sources): Promise<boolean> {
  const name = wanted.text("name");
  if (!name || !wanted.isNew || wanted.text("adopt") !== "always") return false;
  const found = await once(`name ${name}`, () => findByName(name));
  return found.some((record) => !isBeingDeleted(record));
}
