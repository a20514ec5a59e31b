import { isDeepStrictEqual } from "node:util";
import { asked } from "../expected/asked";
import { ownedSettings } from "../expected/settings";
import { ownerShown, recordShown, type Situation } from "../expected/situation";
import type { DeploymentView } from "../world/plane-view";
import { promise } from "./promise";

/** Effect of a resource on a deployment that already existed. */
type Touch = "changed" | "deleted";

/**
 * Checks that deployments of other owners are not changed or deleted, and that the resource's own deployment is deleted
 * only by a destroy or a replacement.
 */
export function requireUntouched(situation: Situation, isDestroyed: boolean, byOthers: string[] = []): void {
  for (const view of situation.before) {
    const touch = touchOf(situation, view);
    if (touch === undefined || byOthers.includes(view.id)) continue;
    const isAllowed =
      touch === "deleted" ? mayDelete(situation, view, isDestroyed) : mayChange(situation, view);
    promise(
      isAllowed,
      `${situation.resource} ${touch} ${view.settings.name} (${view.id}), which it must not`,
    );
  }
}

function touchOf({ after, ledger, resource }: Situation, view: DeploymentView): Touch | undefined {
  const now = after.find(({ id }) => id === view.id);
  if (!now) return "deleted";
  const known = new Set(view.revisions.map(({ id }) => id));
  const fresh = now.revisions.filter(({ id }) => !known.has(id));
  const isChanged = !isDeepStrictEqual(now.settings, view.settings);
  return isChanged || fresh.some(({ id }) => ledger.makerOf(id) === resource) ? "changed" : undefined;
}

function mayDelete(situation: Situation, view: DeploymentView, isDestroyed: boolean): boolean {
  const { kept, program, server } = situation;
  if (kept?.id !== view.id || isForeign(situation, view)) return false;
  return isDestroyed || asked(kept.accepted, program, server.dialect).replaces;
}

function mayChange(situation: Situation, view: DeploymentView): boolean {
  const { kept, program, ledger, resource } = situation;
  if (program.adopt === "always" && (kept?.id === view.id || program.name === view.settings.name))
    return true;
  if (isForeign(situation, view)) return false;
  if (kept?.id === view.id) return true;
  // The remaining case is a deployment that was orphaned by an interrupted create of the resource, and was not changed
  // by another actor.
  const others = view.revisions.filter(({ id }) => ledger.makerOf(id) !== resource);
  return (
    ledger.ownerOf(view) === resource &&
    others.length === 0 &&
    view.revisions.length <= ownedSettings(view, ledger).creates
  );
}

/** True if a record shows that another resource owns the deployment. */
function isForeign(situation: Situation, view: DeploymentView): boolean {
  const owner = ownerShown(situation, recordShown(situation, view));
  return owner !== undefined && owner !== situation.resource;
}
