import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { cacheFolder } from "../cache-folder";
import { fillFolder } from "../filled-folder";
import { run } from "../process";
import nodePackages from "./node-packages.json";
import { type Platform, withExtension } from "./platforms";

/** Options of `ensureNode`. */
export interface NodeOptions {
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

/** Files of Node.js for one platform. */
export interface NodeFiles {
  binary: string;
  /** License of Node.js. The packages for Windows do not contain it. */
  license: string;
}

/** Returns the files of Node.js for a platform. They are downloaded once with npm, which verifies their integrity. */
export async function ensureNode(platform: Platform, { env, signal }: NodeOptions): Promise<NodeFiles> {
  const cache = join(cacheFolder(env), "node");
  const name = `${platform.nodePackage}-${nodePackages.version}`;
  const binaryIn = (folder: string) => join(folder, "bin", withExtension("node", platform));
  const isComplete = (folder: string) => existsSync(binaryIn(folder));
  if (!isComplete(join(cache, name))) {
    const make = (folder: string) => download(platform, folder, { env, signal });
    await fillFolder(cache, name, { make, isComplete, contentName: "Node" }, { signal });
  }
  return { binary: binaryIn(join(cache, name)), license: join(cache, name, "LICENSE") };
}

async function download(
  { nodePackage }: Platform,
  folder: string,
  { env, signal }: NodeOptions,
): Promise<void> {
  const spec = `${nodePackage}@${nodePackages.version}`;
  const args = ["pack", spec, "--json", "--pack-destination", folder];
  const { code, stdout, stderr } = await run("npm", args, { cwd: folder, env, signal });
  if (code !== 0) throw new Error(`${spec} cannot be downloaded:\n${stderr.trim()}`);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const file = join(folder, filename);
  const hash = createHash("sha512").update(readFileSync(file)).digest("base64");
  const integrity = nodePackages.integrities[nodePackage];
  if (`sha512-${hash}` !== integrity)
    throw new Error(`${spec} has the integrity sha512-${hash} instead of ${integrity}.`);
  await extract({ file, cwd: folder, strip: 1, filter: (path) => /^package\/(bin\/|LICENSE$)/.test(path) });
  rmSync(file);
}
