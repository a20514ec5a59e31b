import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { packInto } from "../../tools/quickstart/packed";
import { repositoryRoot } from "../../tools/repository";

/** Installs the packed package, with its dependencies and those of the programs, into a folder. */
export async function installPackage(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  await extract({ file: await packInto(folder), cwd: folder });
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package", "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of ["@pulumi", "typescript", ...Object.keys(dependencies)])
    symlinkSync(join(repositoryRoot, "node_modules", name), join(modules, name));
  symlinkSync(join(folder, "package"), join(modules, "pulumi-agentserver"));
}
