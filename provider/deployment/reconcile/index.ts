export { createDeployment } from "./create";
export { deleteDeployment } from "./delete";
export { readDeployment } from "./read";
export { updateDeployment } from "./update";
