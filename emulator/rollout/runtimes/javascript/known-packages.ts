import { createHash } from "node:crypto";
import { constants, existsSync } from "node:fs";
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  stat,
  symlink,
} from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { z } from "zod";
import { linesOfNpmrc } from "../../../process/npmrc";
import { buildEnvironment } from "../../build/environment";
import { InstallationCache } from "../installation-cache";

const installations = new InstallationCache("javascript-packages");

/** Format version, incremented when packages are installed differently. */
const format = 1;

/** Matches scripts of a project that npm runs during an installation. They may depend on any file of the source. */
const ownScript = /^((pre|post)?(install|prepare)|prepublish|dependencies)$/;

/** Files of a project that determine what npm installs. */
const files = ["package.json", "package-lock.json", "npm-shrinkwrap.json", ".npmrc"];

/**
 * Returns a key for everything that determines the result of an installation: the files of the project, Node.js, npm,
 * and its settings. Returns `undefined` if the result also depends on other files of the source.
 */
export async function installationKey(
  folder: string,
  { scripts = {}, workspaces }: { scripts?: Record<string, unknown> | undefined; workspaces?: unknown },
): Promise<string | undefined> {
  if (workspaces !== undefined || Object.keys(scripts).some((name) => ownScript.test(name))) return undefined;
  // npm compiles `binding.gyp`, and adds packages to an existing `node_modules` folder.
  if (["binding.gyp", "node_modules"].some((name) => existsSync(join(folder, name)))) return undefined;
  const environment = buildEnvironment();
  const settings = Object.entries(environment).filter(([name]) => /^npm_config_/i.test(name));
  const hash = createHash("sha256");
  const add = (...parts: unknown[]) => hash.update(`${JSON.stringify(parts)}\n`);
  add(format, process.platform, process.arch, process.versions.node);
  add(await npmProgram(environment["PATH"] ?? ""), settings.sort(), linesOfNpmrc(process.env));
  for (const name of files) add(name, await textOf(join(folder, name)));
  return hash.digest("hex").slice(0, 32);
}

/**
 * Returns the path of the npm program on the `PATH`, and the content of npm's package.json, which contains the version.
 */
async function npmProgram(path: string): Promise<unknown[]> {
  for (const folder of path.split(delimiter)) {
    const file = await realpath(join(folder, "npm")).catch(() => undefined);
    if (file !== undefined) return [file, await textOf(join(dirname(file), "..", "package.json"))];
  }
  return [];
}

/** Returns the content of a file, or `undefined` if it cannot be read. */
function textOf(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

/** Options of copies. */
interface CopyOptions {
  /**
   * True if a copy may share its files with the original. Must be false if these files may be changed later, because a
   * change to one file would also change the other.
   */
  isShared: boolean;
}

/** Copies the packages that were installed with the same key, if they exist. Returns true if the copy is complete. */
export function takePackages(key: string, folder: string, { isShared }: CopyOptions): Promise<boolean> {
  const modules = join(folder, "node_modules");
  return installations.take(key, modules, (kept, keptAt) =>
    copyFolder(kept, modules, async (from, to) => {
      // A package, or a program that changes packages, has changed a shared file.
      if ((await stat(from)).mtimeMs > keptAt) throw new Error(`${from} was changed.`);
      await (isShared ? shareFile : copyOne)(from, to);
    }),
  );
}

/** Keeps a copy of the installed packages, unless they refer to files outside of their folder. */
export async function keepPackages(key: string, folder: string, { isShared }: CopyOptions): Promise<void> {
  const modules = join(folder, "node_modules");
  if (!(await isSelfContained(modules))) return;
  await installations.keep(key, (copy) => copyFolder(modules, copy, isShared ? shareFile : copyOne));
}

const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({ link: z.boolean().optional(), resolved: z.string().optional() }),
  ),
});

/**
 * True if no package is a link to a folder or comes from a local archive, according to npm's record of the
 * installation.
 */
async function isSelfContained(modules: string): Promise<boolean> {
  try {
    const { packages } = lockSchema.parse(
      JSON.parse(await readFile(join(modules, ".package-lock.json"), "utf8")),
    );
    return Object.values(packages).every(({ link, resolved }) => !link && !resolved?.startsWith("file:"));
  } catch {
    return false;
  }
}

type CopyFile = (from: string, to: string) => Promise<void>;

const copyOne: CopyFile = (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE);
const shareFile: CopyFile = (from, to) => link(from, to).catch(() => copyOne(from, to));

async function copyFolder(from: string, to: string, copy: CopyFile): Promise<void> {
  await mkdir(to, { recursive: true });
  await Promise.all(
    (await readdir(from, { withFileTypes: true })).map(async (entry) => {
      const [old, made] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) return copyFolder(old, made, copy);
      if (entry.isSymbolicLink()) return symlink(await readlink(old), made);
      await copy(old, made);
    }),
  );
}
