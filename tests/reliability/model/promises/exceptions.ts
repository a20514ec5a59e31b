import type { Server } from "../sequence/server";
import type { Fault, ProviderProcess } from "../world/provider-process";
import { codeOf, isDisturbed, type Action } from "./action";

/** True if any command may fail after the fault. */
export function mayFail({ struck }: ProviderProcess, fault: Fault | undefined): boolean {
  if (!struck || !fault) return false;
  return fault.kind === "killed" || (fault.kind === "outage" && fault.refused > 5);
}

/** True if an `up` may have failed for a reason other than the change and its rollout. */
export function isException(action: Action, failure: Error): boolean {
  const { process, fault, program, server, meanwhile } = action;
  // Requests are not retried after the timeout.
  if (mayFail(process, fault) || (process.struck && program.timeout !== null)) return true;
  const code = codeOf(failure);
  if (code === "name_conflict") return isNameHeld(action, server);
  if (code === "deployment_gone") return meanwhile === "delete";
  return isDisturbed(action);
}

/** True if a name was in use until the deadline, or is used by a deployment that is not reported. */
function isNameHeld({ program, process, expected, kept }: Action, server: Server): boolean {
  if (server.lingerSeconds > 0 && program.timeout !== null) return true;
  const isMade = expected.kind === "change" && (!kept || expected.deletes !== undefined);
  return isMade && process.struck && (server.secrets !== undefined || server.hides === "everything");
}
