import { isBeingDeleted, type DeploymentRecord } from "../../../wire";
import { findIdentified, keyOf, desiredIdentity, type Identity } from "../inputs/identity";
import type { DeploymentInputs } from "../inputs/inputs";
import { conflict, decide } from "../../resource/ownership/claim";
import { findExisting } from "../ownership/claim-deployment";
import { ownerOf } from "../ownership/tag";
import { failure, warning } from "../../resource/inputs/finding";
import type { Question, Sources } from "../../resource/checks";
import { createsDeployment } from "../rules/replacement-rules";
import type { Siblings } from "./siblings";
import type { DesiredInputs } from "../../resource/inputs/wanted";

/**
 * Checks that the name or the agent of a new deployment is available, or that the existing deployment can be adopted.
 */
export const checkName =
  (siblings: Siblings): Question =>
  async (wanted, sources) => {
    const { client, dialect, ownerId, once, pending, predecessor, signal } = sources;
    const identity = desiredIdentity(wanted);
    if (!identity || !createsDeployment(wanted, dialect) || wanted.isUnknown("adopt")) return [];
    const path = identity.agent ? "agent" : "name";
    const found = await findConflict(identity, sources);
    const live = found.filter((record) => !isBeingDeleted(record) && record.id !== predecessor);
    if (live.some((record) => pending?.includes(record.id) || (!wanted.isNew && ownerOf(record) === ownerId)))
      return [];
    // A replacement deletes its own deployment first. A deployment with an unreported owner may be its own.
    const inTheWay = wanted.isNew || wanted.changes(path) ? live : live.filter((one) => ownerOf(one));
    const one = await findExisting(inTheWay, identity, ownerId, ({ id }) =>
      once(`revisions of ${id}`, async () => (await client().revisions.list(id, signal)).length),
    );
    const leaving = found.find(isBeingDeleted);
    if (one) {
      const { record, existing } = one;
      const adopt = wanted.text("adopt") as DeploymentInputs["adopt"];
      if (ownerOf(record) !== ownerId && siblings.own(ownerOf(record)))
        return [
          warning(
            path,
            `is used by another resource in this program (${record.id}), which must release it first: set deleteBeforeReplace on that resource and make this one depend on it (dependsOn)`,
          ),
        ];
      if (decide("create", existing.owner, adopt) === "refuse")
        return [failure(path, conflict("create", existing).message)];
    } else if (leaving)
      return [
        warning(
          path,
          `is still used by a deployment that is being deleted (${leaving.id}); the new deployment is created as soon as the ${path} is released`,
        ),
      ];
    return [];
  };

/** Returns the deployments with this identity. Requests them once per run. */
export function findConflict(identity: Identity, sources: Sources): Promise<DeploymentRecord[]> {
  const { once, findByName, findByAgent } = sources;
  const asking = { findByAgent, findByName: (name: string) => findByName(name) };
  return once(keyOf(identity), () => findIdentified(asking, identity, false));
}

/**
 * True if an existing deployment will be adopted without changes that only a create can make, so that checks for such
 * changes are skipped.
 */
export async function adoptsExisting(wanted: DesiredInputs, sources: Sources): Promise<boolean> {
  const identity = desiredIdentity(wanted);
  if (!identity || !wanted.isNew || wanted.text("adopt") !== "always") return false;
  const found = await findConflict(identity, sources);
  return found.some((record) => !isBeingDeleted(record));
}
