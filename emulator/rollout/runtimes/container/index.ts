export { startContainer } from "./container";
export { earlierImage, pullImage } from "./image";
