import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { run } from "../../tools/process";
import { repositoryRoot } from "../../tools/repository";

/**
 * Packs the policy pack in the same way as for publishing, and installs it next to the package without the registry.
 * Returns the value for `--policy-pack`.
 */
export async function installPolicyPack(folder: string): Promise<string> {
  const modules = join(folder, "node_modules");
  const pack = join(modules, "pulumi-agentserver-policies");
  mkdirSync(modules, { recursive: true });
  await ensureBuilt();
  const words = ["pack", "--json", "--ignore-scripts", "-w", "policies", "--pack-destination", folder];
  const { code, stdout, stderr } = await run("npm", words, { cwd: repositoryRoot });
  if (code !== 0) throw new Error(`npm pack failed:\n${stderr.trim()}`);
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  await extract({ file: join(folder, packed!.filename), cwd: folder });
  renameSync(join(folder, "package"), pack);
  const picomatch = require.resolve("picomatch/package.json", { paths: [join(repositoryRoot, "policies")] });
  symlinkSync(join(picomatch, ".."), join(modules, "picomatch"), "dir");
  return pack;
}

/** Writes a configuration of the pack. Returns the value for `--policy-pack-config`. */
export function packConfig(folder: string, name: string, config: object): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(config));
  return file;
}
