export { checkInputs, type CheckFailure } from "../rules/check";
export { createDeployment } from "./create";
export { deleteDeployment } from "./delete";
export { readDeployment } from "./read";
export { updateDeployment } from "./update";
export type { Ended, Operation } from "../../resource/operation";
