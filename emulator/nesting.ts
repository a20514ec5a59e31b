export { deepestNesting, nestsTooDeeply } from "../wire";
