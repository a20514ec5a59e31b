export type { Fault, FaultKind } from "../admin/faults/faults";
export type { JournalEntry, JournalFilter } from "../admin/journal/journal";
export type { AdminLibrary } from "../admin/library";
export type { SteeringPlan } from "../admin/steering/plan";
export { type StackOptions } from "./stack";
export {
  startTestControlPlane,
  type TestControlPlane,
  type TestControlPlaneOptions,
  type Write,
} from "./test-control-plane";
