import { mkdir, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { packageFolder } from "../../../process/package-folder";

/** Packages that a graph may import without declaring them in its own package.json. */
const offered = ["@langchain/core", "@langchain/langgraph", "@langchain/langgraph-sdk"];

/**
 * Makes the runtime's own packages resolvable for a checkout below `revisionFolder`. Node searches packages in every
 * folder above the importing file, nearest first: links above the checkout do not change its files, and packages that
 * the project installs take precedence.
 */
export async function offerRuntimePackages(revisionFolder: string): Promise<void> {
  const resolveFrom = createRequire(join(packageFolder(), "package.json"));
  const scope = join(revisionFolder, "node_modules", "@langchain");
  await rm(scope, { recursive: true, force: true });
  await mkdir(scope, { recursive: true });
  for (const name of offered) {
    const folder = dirname(resolveFrom.resolve(`${name}/package.json`));
    await symlink(folder, join(revisionFolder, "node_modules", name), "dir");
  }
}
