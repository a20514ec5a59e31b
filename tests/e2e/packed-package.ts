import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { readJson } from "../json";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { ensurePacked, linkCommands } from "../../tools/quickstart/packed";
import { repositoryRoot } from "../../tools/repository";

const { dependencies } = readJson<{ dependencies: Record<string, string> }>(
  readFileSync(join(repositoryRoot, "package.json"), "utf8"),
);

/** Other dependencies of the package and the test programs. They are linked, because they are not under test. */
const linked = ["@pulumi", "@types", "typescript", ...Object.keys(dependencies)];

/**
 * Installs the package in a folder without the registry. The package is built, packed in the same way as for
 * publishing, and linked, so that all tests share it and Node.js finds it in its compile cache.
 */
export async function installPacked(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  await ensureBuilt();
  const packed = await ensurePacked();
  symlinkSync(packed, join(modules, "pulumi-agentserver"), "dir");
  linkCommands(packed, join(modules, ".bin"));
  for (const name of linked) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules", name), join(modules, name), "dir");
  }
}
