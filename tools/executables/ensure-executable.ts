import { join } from "node:path";
import { sourceHash } from "../build/source-hash";
import { buildFolder, stampOf } from "../build/stamped-folder";
import { buildTargets } from "../build/targets";
import { withLock } from "../lock.cjs";
import { Progress } from "../progress";
import { repositoryRoot, workFolder } from "../repository";
import { bundlePlugin } from "./bundle";
import { executableName, writeExecutable } from "./executable";
import type { NodeOptions } from "./node-binary";
import { thisPlatform, withExtension } from "./platforms";

/** Files that the executable is built from: the sources of the package, its schemas, and the recipe. */
const inputs = {
  config: "package.json",
  sources: [...buildTargets[0]!.sources, "schemas", join("tools", "executables")],
};

const target = join(workFolder, "executable");

/** Builds the executable for this machine if its sources have changed, and returns its path. */
export async function ensureExecutable({
  progress = new Progress(),
  ...options
}: Partial<NodeOptions> & { progress?: Progress } = {}): Promise<string> {
  const platform = thisPlatform();
  const name = withExtension(executableName, platform);
  const hash = sourceHash(repositoryRoot, inputs);
  const build = async () => {
    if (stampOf(target) === hash) return;
    await progress.step(`building ${executableName}`, () =>
      buildFolder(target, hash, workFolder, async (folder) =>
        writeExecutable(join(folder, name), platform, await bundlePlugin(), { env: process.env, ...options }),
      ),
    );
  };
  if (stampOf(target) !== hash)
    await withLock(join(workFolder, "executable.lock"), build, { signal: options.signal });
  return join(target, name);
}
