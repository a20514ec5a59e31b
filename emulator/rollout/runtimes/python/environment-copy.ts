import { constants } from "node:fs";
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Paths in an environment, and the locations of it and of the source that it is for. */
interface Places {
  environment: string;
  source: string;
}

const placesFile = "places.json";

/** Files of an environment that contain its path, or that of the source: they are rewritten. */
const namesPlaces = /\.pth$|^__editable__.*\.py$|^direct_url\.json$|\.egg-link$|^pyvenv\.cfg$/;

/**
 * Copies an environment, as links to the same files if the disk supports it: files of an environment are never changed
 * in place. Old paths in it are replaced by new ones.
 */
export async function copyEnvironment(from: string, to: string, places: Places): Promise<void> {
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

/** Copies a file with its modification time, by which Python recognizes compiled files. */
async function copyWithTimes(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const { atime, mtime } = await stat(from);
  await utimes(to, atime, mtime);
}
