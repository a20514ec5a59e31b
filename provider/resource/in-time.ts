import { AgentServerError } from "../errors";
import { formatDuration } from "./duration";
import type { OperationTime } from "./operation";

/**
 * Refuses to send a change when its time is over: what it makes could not be waited for any more.
 * @param change what was to be sent, for example `deployment "support-agent" was not created`
 * @throws AgentServerError `rollout_timeout`
 */
export function refuseLate({ clock, deadline }: OperationTime, change: string): void {
  if (clock.now() <= deadline.at) return;
  throw new AgentServerError(
    "rollout_timeout",
    `The timeout of ${formatDuration(deadline.totalMs)} expired before anything could be sent; ${change}. Run the command again when the control plane answers, or raise \`${deadline.setBy}\`.`,
  );
}
