import type { Facts } from "../data/types";
import { AdminOff } from "../elements/admin-off";
import { ClockControl } from "./clock";
import { FaultControl } from "./faults";
import { ResetControl } from "./reset";
import { SteeringControl } from "./steering";

/** Displays the admin actions for the control plane as a whole. */
export function ControlsView({ facts }: { facts: Facts }) {
  const what = "This view (fault injection, rollout control, clock, and reset)";
  if (!facts.admin.open) return <AdminOff title="Controls" what={what} facts={facts} />;
  return (
    <div class="controls">
      <FaultControl />
      {facts.steerable && <SteeringControl />}
      <ClockControl virtualTime={facts.virtualTime} />
      <ResetControl />
    </div>
  );
}
