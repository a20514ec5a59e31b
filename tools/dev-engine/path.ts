import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run } from "../process";
import { engineVersion, findVersion, isRecentEnough } from "./version";

/** Programs that the engine looks for in its own folder and on the PATH. */
export const companions = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"] as const;

/** Engine that the user has installed. */
export interface InstalledEngine {
  pulumi: string;
  version: string;
}

/** Returns the `pulumi` on the PATH if it is recent enough and has the companions for Node.js. */
export async function engineOnPath(
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<InstalledEngine | undefined> {
  const found = findOnPath("pulumi", env);
  if (found === undefined) return undefined;
  const pulumi = realpathSync(found);
  const complete = companions.every(
    (name) => isExecutable(join(dirname(pulumi), name)) || findOnPath(name, env) !== undefined,
  );
  if (!complete) return undefined;

  const result = await run(pulumi, ["version"], {
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    signal,
    timeoutMs: 20_000,
  });
  if (result.code !== 0 || !isRecentEnough(result.stdout, engineVersion)) return undefined;
  return { pulumi, version: findVersion(result.stdout)!.join(".") };
}

/** Returns the first executable file with this name on the PATH. */
export function findOnPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** True if a file exists and is executable. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
