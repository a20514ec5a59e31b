import "./hosts/dynamic/watched-process";
import { processProvider } from "./hosts/dynamic/provider";

/** The provider that `__provider` in every stack's state names; this export stays for ever. */
export const provider = processProvider();
