import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../cache-folder";
import { fillFolder } from "../filled-folder";
import { run } from "../process";

/** Package managers other than npm, as npm packages, with the paths of their programs. */
const managers = {
  pnpm: { name: "pnpm", version: "12.21.0", program: ".bin/pnpm" },
  yarn: { name: "yarn", version: "1.22.22", program: "yarn/bin/yarn.js" },
  berry: { name: "@yarnpkg/cli-dist", version: "4.18.1", program: "@yarnpkg/cli-dist/bin/yarn.js" },
  bun: { name: "bun", version: "1.4.5", program: ".bin/bun" },
} as const;

export type PackageManager = keyof typeof managers;

/** Name of the file that marks a folder as complete. It is written last. */
const finished = "finished";

/** Returns the command of a package manager. If necessary, first installs all package managers into the cache. */
export async function ensurePackageManager(
  manager: PackageManager,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<string[]> {
  const packages = Object.values(managers).map(({ name, version }) => `${name}@${version}`);
  const cache = join(cacheFolder(env), "package-managers");
  const hash = createHash("sha256").update(packages.join("\n"));
  const name = `${process.platform}-${process.arch}-${hash.digest("hex").slice(0, 12)}`;
  const isComplete = (folder: string) => existsSync(join(folder, finished));
  if (!isComplete(join(cache, name)))
    await fillFolder(
      cache,
      name,
      {
        make: (folder) => make(folder, packages, { env, signal }),
        isComplete,
        contentName: "set of package managers",
      },
      { signal },
    );
  const program = join(cache, name, "node_modules", managers[manager].program);
  // Yarn's programs are scripts; the others are binaries.
  return program.endsWith(".js") ? [process.execPath, program] : [program];
}

async function make(
  folder: string,
  packages: readonly string[],
  options: { env: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, allowScripts: { bun: true } }));
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages];
  const { code, stdout, stderr } = await run("npm", args, { ...options, cwd: folder });
  if (code !== 0) throw new Error(`\`npm install\` of the package managers failed: ${stderr || stdout}`);
  writeFileSync(join(folder, finished), "");
}
