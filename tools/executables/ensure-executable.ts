import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sourceHash } from "../build/source-hash";
import { buildTargets } from "../build/targets";
import { withLock } from "../lock.cjs";
import { Progress } from "../progress";
import { repositoryRoot, workFolder } from "../repository";
import { bundlePlugin } from "./bundle";
import { executableName, writeExecutable } from "./executable";
import type { NodeOptions } from "./node-binary";
import { thisPlatform, withExtension } from "./platforms";

/** Everything that the executable is made of: the sources of the package, its schemas, and the recipe. */
const inputs = {
  config: "package.json",
  sources: [...buildTargets[0]!.sources, "schemas", join("tools", "executables")],
};

const target = join(workFolder, "executable");
const stampFile = join(target, ".agentserver-build");

/** Builds the executable for this machine if its sources have changed, and returns its path. */
export async function ensureExecutable({
  progress = new Progress(),
  ...options
}: Partial<NodeOptions> & { progress?: Progress } = {}): Promise<string> {
  const platform = thisPlatform();
  const name = withExtension(executableName, platform);
  const stamp = sourceHash(repositoryRoot, inputs);
  const isFresh = () => existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
  const build = async () => {
    if (isFresh()) return;
    const folder = mkdtempSync(join(workFolder, "executable-"));
    try {
      await progress.step(`building ${executableName}`, async () =>
        writeExecutable(join(folder, name), platform, await bundlePlugin(), { env: process.env, ...options }),
      );
      writeFileSync(join(folder, ".agentserver-build"), stamp);
      rmSync(target, { recursive: true, force: true });
      renameSync(folder, target);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  if (!isFresh()) await withLock(join(workFolder, "executable.lock"), build, { signal: options.signal });
  return join(target, name);
}
