export { startContainer } from "./container";
export { earlierImage, type PulledImage, pullImage } from "./image";
