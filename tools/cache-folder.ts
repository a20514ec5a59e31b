import { homedir } from "node:os";
import { join } from "node:path";

/** Returns the cache folder, which is shared by all checkouts: `AGENTSERVER_CACHE`, or a folder in the user's cache. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return env.AGENTSERVER_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-agentserver");
}

/** Returns the folder in which Node.js caches compiled code for processes that load the same modules. */
export function compileCacheFolder(env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), "compiled");
}
