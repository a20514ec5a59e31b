import { mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { extract } from "tar";
import { readJson } from "../json";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { packInto } from "../../tools/quickstart/packed";
import { repositoryRoot } from "../../tools/repository";

const { dependencies } = readJson<{ dependencies: Record<string, string> }>(
  readFileSync(join(repositoryRoot, "package.json"), "utf8"),
);

/** Other dependencies of the package and of the test programs; linked, because they are not under test. */
const linked = ["@pulumi", "@types", "typescript", ...Object.keys(dependencies)];

/** Builds and packs the package as for publishing and installs it in a folder, without the registry. */
export async function installPacked(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  await ensureBuilt();
  await extract({ file: await packInto(folder), cwd: folder });
  renameSync(join(folder, "package"), join(modules, "pulumi-agentserver"));
  for (const name of linked) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules", name), join(modules, name), "dir");
  }
}
