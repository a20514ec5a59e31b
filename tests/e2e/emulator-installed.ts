import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { extract } from "tar";
import { readJson } from "../json";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { run } from "../../tools/process";
import { repositoryRoot } from "../../tools/repository";

const emulator = join(repositoryRoot, "emulator");

/**
 * Packs the local control plane in the same way as for publishing, and installs it in a folder without the registry.
 * Its dependencies are linked.
 */
export async function installEmulator(folder: string): Promise<void> {
  const installed = join(folder, "node_modules", "agentserver-emulator");
  mkdirSync(dirname(installed), { recursive: true });
  await ensureBuilt();
  const words = ["pack", "--json", "--ignore-scripts", "-w", "emulator", "--pack-destination", folder];
  const { code, stdout, stderr } = await run("npm", words, { cwd: repositoryRoot });
  if (code !== 0) throw new Error(`npm pack failed:\n${stderr.trim()}`);
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  await extract({ file: join(folder, packed!.filename), cwd: folder });
  renameSync(join(folder, "package"), installed);
  const { dependencies } = readJson<{ dependencies: Record<string, string> }>(
    readFileSync(join(emulator, "package.json"), "utf8"),
  );
  for (const name of Object.keys(dependencies)) {
    const nested = join(emulator, "node_modules", name);
    const link = join(installed, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(existsSync(nested) ? nested : join(repositoryRoot, "node_modules", name), link, "dir");
  }
}
