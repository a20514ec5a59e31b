import type { Server } from "../sequence/server";
import type { Mishap, ProviderProcess } from "../world/provider-process";
import { codeOf, isDisturbed, type Deed } from "./deed";

/** Whether a mishap is one after which a command may fail, whatever it was about to do. */
export function mayFail({ struck }: ProviderProcess, mishap: Mishap | undefined): boolean {
  if (!struck || !mishap) return false;
  return mishap.kind === "killed" || (mishap.kind === "outage" && mishap.refused > 5);
}

/** Whether an `up` may have failed for a reason that lies in neither the change nor its rollout. */
export function isExcused(deed: Deed, failure: Error): boolean {
  const { process, mishap, program, server, meanwhile } = deed;
  // Nothing is tried again beyond the timeout.
  if (mayFail(process, mishap) || (process.struck && program.timeout !== null)) return true;
  const code = codeOf(failure);
  if (code === "name_conflict") return isNameHeld(deed, server);
  if (code === "deployment_gone") return meanwhile === "delete";
  return isDisturbed(deed);
}

/** A name that a deleted deployment holds is waited for as long as there is time; what nobody shows cannot be found. */
function isNameHeld({ program, process, expected, kept }: Deed, server: Server): boolean {
  if (server.lingerSeconds > 0 && program.timeout !== null) return true;
  const isMade = expected.kind === "change" && (!kept || expected.deletes !== undefined);
  return isMade && process.struck && (server.secrets !== undefined || server.hides === "everything");
}
