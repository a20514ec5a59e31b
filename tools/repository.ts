import { dirname, join } from "node:path";

/** Root folder of this repository. */
export const repositoryRoot = dirname(__dirname);

/** Path of the installed TypeScript compiler. */
export const compiler = join(repositoryRoot, "node_modules", "typescript", "bin", "tsc");

/** Folder for the locks, state, and logs of commands. */
export const workFolder = join(repositoryRoot, ".agentserver");
