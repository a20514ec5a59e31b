import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";
import { plan, type DeploymentPlan, type PlanRequest } from "../../../provider/deployment/plan/plan";

/** Computes a plan in the same way as a preview, which knows only the inputs in state. */
export function planFrom({
  before,
  ...request
}: Omit<PlanRequest, "current"> & { before: DeploymentInputs }): DeploymentPlan {
  return plan({ ...request, current: { before, inputs: before, unknown: [] } });
}
