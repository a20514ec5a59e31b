import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder } from "../../../tools/cache-folder";
import { withLock } from "../../../tools/lock.cjs";
import { run } from "../../../tools/process";

/**
 * Returns the folder that contains the `node` of this version: the current one, or one that is installed next to the
 * engines.
 */
export async function nodeFolder(version: string): Promise<string> {
  if (process.versions.node === version) return dirname(process.execPath);
  const cache = join(cacheFolder(process.env), "node");
  const target = join(cache, `${version}-${process.platform}-${process.arch}`);
  mkdirSync(cache, { recursive: true });
  await withLock(join(cache, ".lock"), () => install(version, target));
  return join(target, "node_modules", "node", "bin");
}

async function install(version: string, target: string): Promise<void> {
  if (existsSync(target)) return;
  const folder = `${target}.unfinished`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  // The package's install script fetches the binary of this platform.
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, allowScripts: { node: true } }),
  );
  const words = ["install", "--no-audit", "--no-fund", `node@${version}`];
  const { code, stderr } = await run("npm", words, { cwd: folder });
  if (code !== 0) throw new Error(`npm install node@${version} failed:\n${stderr}`);
  renameSync(folder, target);
}
