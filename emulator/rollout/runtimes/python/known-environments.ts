import { constants } from "node:fs";
import {
  mkdir,
  readdir,
  stat,
  utimes,
  copyFile,
  link,
  readFile,
  readlink,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join, basename, dirname } from "node:path";
import { InstallationCache } from "../installation-cache";

const environments = new InstallationCache("python-environments");

/**
 * Copies an environment that was installed for the same packages, if there is one.
 *
 * @param source - Current source, which replaces the source that was installed originally.
 */
export function takeKnown(key: string, folder: string, source: string): Promise<boolean> {
  return environments.take(key, folder, (known) =>
    copyEnvironment(known, folder, { environment: folder, source }),
  );
}

/** Keeps a copy of an environment. */
export function keepKnown(key: string, folder: string, source: string): Promise<void> {
  return environments.keep(key, (copy) => copyEnvironment(folder, copy, { environment: folder, source }));
}

/** Locations of an environment and of its source, as they occur in its files. */
interface Places {
  environment: string;
  source: string;
}

const placesFile = "places.json";

/**
 * Matches files of an environment that contain the path of the environment or its source. These files are rewritten.
 */
const namesPlaces = /\.pth$|^__editable__.*\.py$|^direct_url\.json$|\.egg-link$|^pyvenv\.cfg$/;

/**
 * Copies an environment. The copy shares files with the original if the disk supports it, because files of an
 * environment are never changed in place. Replaces the old paths in the copy with the new ones.
 */
async function copyEnvironment(from: string, to: string, places: Places): Promise<void> {
  const before = (await placesIn(from)) ?? places;
  const moved = (text: string) =>
    text.replaceAll(before.environment, places.environment).replaceAll(before.source, places.source);
  await copyFolder(from, to, moved);
  await writeFile(join(to, placesFile), JSON.stringify(places));
}

async function placesIn(folder: string): Promise<Places | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, placesFile), "utf8")) as Places;
  } catch {
    return undefined;
  }
}

async function copyFolder(from: string, to: string, moved: (text: string) => string): Promise<void> {
  await mkdir(to, { recursive: true });
  const inBin = basename(from) === "bin";
  await Promise.all(
    (await readdir(from, { withFileTypes: true })).map(async (entry) => {
      const [old, made] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) return copyFolder(old, made, moved);
      if (entry.isSymbolicLink()) return symlink(moved(await readlink(old)), made);
      if (entry.name === placesFile) return;
      const isScript = inBin && (await stat(old)).size < 100_000;
      if (isScript || namesPlaces.test(entry.name)) return rewrite(old, made, moved);
      await link(old, made).catch(() => copyWithTimes(old, made));
    }),
  );
}

async function rewrite(from: string, to: string, moved: (text: string) => string): Promise<void> {
  const bytes = await readFile(from);
  const { mode } = await stat(from);
  const text = bytes.toString("utf8");
  const isText = !bytes.includes(0) && Buffer.from(text).equals(bytes);
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, isText ? moved(text) : bytes, { mode });
}

/** Copies a file with its modification time, because Python uses that time to recognize compiled files. */
async function copyWithTimes(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const { atime, mtime } = await stat(from);
  await utimes(to, atime, mtime);
}
