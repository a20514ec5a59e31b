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
/** Commands of the package, with their files. */
const commands = {
  agentserver: join("dist", "cli", "main.js"),
  "pulumi-resource-agentserver": join("dist", "provider", "plugin.js"),
};
const linkOf = (command: string) => join(repositoryRoot, "node_modules", ".bin", command);

/**
 * Installs the package for the examples: packed as for publishing and unpacked, so that they use the same files as a
 * user. Does nothing if it is up to date. Returns the package's folder.
 */
export async function ensurePacked(signal?: AbortSignal): Promise<string> {
  const target = join(repositoryRoot, "examples", "node_modules", "pulumi-agentserver");
  const stampFile = join(target, stampName);
  const stamp = currentStamp();
  const isFresh = () =>
    Object.keys(commands).every((command) => existsSync(linkOf(command))) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, "utf8") === stamp;
  if (isFresh()) return target;
  const refresh = async () => {
    if (isFresh()) return;
    await install(target, stamp, signal);
    linkCommands(target);
  };
  await withLock(join(workFolder, "pack.lock"), refresh, { signal });
  return target;
}

/** Returns the hash of the packed files: those of the build, the schemas and the package's own. */
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

/** Makes the package's commands available in this checkout, as in a project that has installed the package. */
function linkCommands(target: string): void {
  for (const [command, file] of Object.entries(commands)) {
    chmodSync(join(target, file), 0o755);
    rmSync(linkOf(command), { force: true });
    symlinkSync(join(target, file), linkOf(command));
  }
}

/** Packs the built package as for publishing, and returns the path of the file. */
export async function packInto(folder: string, signal?: AbortSignal): Promise<string> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { code, stdout, stderr } = await run("npm", args, { cwd: repositoryRoot, signal });
  if (code !== 0) throw new Error(`npm pack failed:\n${stderr.trim()}`);
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(folder, packed!.filename);
}
