import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type * as Tar from "tar";
import { run } from "../process";
import { repositoryRoot, workFolder } from "../repository";

const stampName = ".agentserver-packed";

/**
 * Installs the package for the examples: packed as for publishing and unpacked, so that they use the same files as a
 * user. Does nothing if it is up to date.
 */
export async function ensurePacked(signal: AbortSignal): Promise<void> {
  const target = join(repositoryRoot, "examples", "node_modules", "pulumi-agentserver");
  const stamp =
    readFileSync(join(repositoryRoot, "dist", ".agentserver-build"), "utf8") +
    readFileSync(join(repositoryRoot, "package.json"), "utf8");
  linkCommand(join(target, "dist", "cli", "main.js"));
  const stampFile = join(target, stampName);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  mkdirSync(workFolder, { recursive: true });
  const folder = mkdtempSync(join(workFolder, "pack-"));
  try {
    // Loaded on demand, since the package is usually up to date.
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
    const { extract } = require("tar") as typeof Tar;
    await extract({ file: await packInto(folder, signal), cwd: folder });
    writeFileSync(join(folder, "package", stampName), stamp);
    mkdirSync(join(target, ".."), { recursive: true });
    rmSync(target, { recursive: true, force: true });
    renameSync(join(folder, "package"), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the package's command available to `npx` in this checkout, as in a project that has installed the package. */
function linkCommand(file: string): void {
  const link = join(repositoryRoot, "node_modules", ".bin", "agentserver");
  if (existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(file, link);
}

/** Packs the built package as for publishing, and returns the path of the file. */
export async function packInto(folder: string, signal?: AbortSignal): Promise<string> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { code, stdout, stderr } = await run("npm", args, { cwd: repositoryRoot, signal });
  if (code !== 0) throw new Error(`npm pack failed:\n${stderr.trim()}`);
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(folder, packed!.filename);
}
