import { join, resolve } from "node:path";

/** The folder of this project: its stack configuration, policies and packages are here. */
export const projectFolder = import.meta.dirname;

/** What the controller reads from its environment. */
export interface Settings {
  /** Path or address of the repository; the controller pushes its statuses there, and nothing else. */
  repository: string;
  /** The branch whose newest commit is wanted. */
  branch: string;
  /** The stack; `deployments/overlays/<stack>` in the repository is for it. */
  stack: string;
  /** Pause between two looks at the repository, in milliseconds. */
  everyMs: number;
  /** Holds what is fetched; nothing in it has to be kept. One controller at a time may use it. */
  workFolder: string;
  /** Environment of git, of Pulumi and of the provider. */
  env: NodeJS.ProcessEnv;
}

/** Where a commit is checked out. */
export const checkoutIn = (workFolder: string) => join(workFolder, "checkout");

/**
 * Reads the settings from the environment.
 * @throws Error when one is missing or wrong
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { GITOPS_REPOSITORY, GITOPS_BRANCH, GITOPS_STACK, GITOPS_EVERY, GITOPS_WORK } = env;
  if (!GITOPS_REPOSITORY) throw new Error("GITOPS_REPOSITORY is missing: the path or URL of the repository.");
  const seconds = Number(GITOPS_EVERY || 10);
  if (!(seconds > 0)) throw new Error("GITOPS_EVERY must be a number of seconds above zero.");
  return {
    repository: GITOPS_REPOSITORY,
    branch: GITOPS_BRANCH || "main",
    stack: GITOPS_STACK || "staging",
    everyMs: seconds * 1000,
    workFolder: resolve(GITOPS_WORK || join(projectFolder, ".gitops")),
    env,
  };
}

/** What every program needs; none of it is secret. */
const harmless = ["PATH", "HOME", "TMPDIR", "LANG", "TZ"];

/**
 * Takes everything out of this process's environment that manifests may not refer to, and returns how it was.
 * Whoever may push a manifest could else put `${env:PULUMI_CONFIG_PASSPHRASE}` into a field that others can read.
 * `GITOPS_MANIFEST_ENV` lists, with commas, what they may refer to.
 */
export function narrowEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const before = { ...own };
  const open = [...harmless, ...(before.GITOPS_MANIFEST_ENV ?? "").split(",").map((name) => name.trim())];
  for (const name of Object.keys(before)) if (!open.includes(name)) delete own[name];
  return before;
}
