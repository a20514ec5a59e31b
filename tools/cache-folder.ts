import { homedir } from "node:os";
import { join } from "node:path";

/** Where things are kept that outlive a checkout: `AGENTSERVER_CACHE`, else a folder in the user's cache. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return env.AGENTSERVER_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-agentserver");
}

/** Where Node keeps the code that it has compiled, for the many processes that load the same modules. */
export function compileCacheFolder(env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), "compiled");
}
