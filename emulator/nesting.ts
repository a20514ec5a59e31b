export { deepestNesting, nestsTooDeeply } from "../provider/control-plane/wire";
