import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run } from "../process";
import { engineVersion, findVersion, isRecentEnough } from "./version";

/** The programs the engine looks for beside itself, in addition to PATH. */
export const companions = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"] as const;

/** An engine that somebody else installed. */
export interface InstalledEngine {
  pulumi: string;
  version: string;
}

/** The `pulumi` on PATH if it is recent enough and has its Node companions, else undefined. */
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

  const answer = await run(pulumi, ["version"], {
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    signal,
    timeoutMs: 20_000,
  });
  if (answer.code !== 0 || !isRecentEnough(answer.stdout, engineVersion)) return undefined;
  return { pulumi, version: findVersion(answer.stdout)!.join(".") };
}

/** The first executable file of that name in the folders of PATH. */
export function findOnPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** Whether a file is there and may be run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
