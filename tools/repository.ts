import { dirname, join } from "node:path";

/** The root folder of this repository. */
export const repositoryRoot = dirname(__dirname);

/** The TypeScript compiler that this repository has installed. */
export const compiler = join(repositoryRoot, "node_modules", "typescript", "bin", "tsc");

/** What running commands leave behind and may find again: locks, state, logs. */
export const workFolder = join(repositoryRoot, ".agentserver");
