export { checkInputs, type CheckFailure } from "./check";
export { createDeployment } from "./create";
export { deleteDeployment } from "./delete";
export { readDeployment } from "./read";
export { updateDeployment } from "./update";
export type { LifecycleResult, Operation } from "./operation";
