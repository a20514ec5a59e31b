import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type * as Tar from "tar";
import { withLock } from "../lock.cjs";
import { run } from "../process";
import { repositoryRoot, workFolder } from "../repository";

const stampName = ".agentserver-packed";
const commandsFolder = join(repositoryRoot, "node_modules", ".bin");

/** Returns the commands of the package, with their files. */
function commands(): [command: string, file: string][] {
  const text = readFileSync(join(repositoryRoot, "package.json"), "utf8");
  return Object.entries((JSON.parse(text) as { bin: Record<string, string> }).bin);
}

/**
 * Installs the package for the examples. The package is packed in the same way as for publishing, and unpacked, so that
 * the examples use the same files as a user. Does nothing if it is up to date. Returns the package's folder.
 */
export async function ensurePacked(signal?: AbortSignal): Promise<string> {
  const target = join(repositoryRoot, "examples", "node_modules", "pulumi-agentserver");
  const stampFile = join(target, stampName);
  const stamp = currentStamp();
  const isFresh = () =>
    commands().every(([command]) => existsSync(join(commandsFolder, command))) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, "utf8") === stamp;
  if (isFresh()) return target;
  const refresh = async () => {
    if (isFresh()) return;
    await install(target, stamp, signal);
    linkCommands(target, commandsFolder);
  };
  await withLock(join(workFolder, "pack.lock"), refresh, { signal });
  return target;
}

/** Returns the hash of the packed files: those of the build, the schemas, and the package's own files. */
function currentStamp(): string {
  const schemas = readdirSync(join(repositoryRoot, "schemas")).map((name) => join("schemas", name));
  const hash = createHash("sha256");
  for (const file of [
    join("dist", ".agentserver-build"),
    "package.json",
    "README.md",
    "LICENSE",
    ...schemas.sort(),
  ])
    hash.update(`${file}\n`).update(readFileSync(join(repositoryRoot, file)));
  return hash.digest("hex");
}

async function install(target: string, stamp: string, signal: AbortSignal | undefined): Promise<void> {
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

/**
 * Links the commands of an unpacked package into a folder, in the same way as npm in a project that has installed the
 * package.
 */
export function linkCommands(target: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [command, file] of commands()) {
    const link = join(folder, command);
    chmodSync(join(target, file), 0o755);
    rmSync(link, { force: true });
    symlinkSync(join(target, file), link);
  }
}

/** Packs the built package in the same way as for publishing, and returns the path of the file. */
export async function packInto(folder: string, signal?: AbortSignal): Promise<string> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { code, stdout, stderr } = await run("npm", args, { cwd: repositoryRoot, signal });
  if (code !== 0) throw new Error(`npm pack failed:\n${stderr.trim()}`);
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(folder, packed!.filename);
}
