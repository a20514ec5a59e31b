import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isLeftOut, isLeftOutWhole, rulesOfInner, rulesOfRoot, type IgnoreRules } from "./ignored";

/** One file of a source. */
export interface SourceFile {
  /** Where it is on this machine. */
  place: string;
  /** Where it is in the archive, with slashes. */
  path: string;
  bytes: number;
  isExecutable: boolean;
}

/**
 * The files of a folder that are sent: not its history, dependencies and virtual environments, nor what `.gitignore` and
 * `.dockerignore` name. Links are not followed, and not sent.
 * @param prefix path of the folder in the archive, with a slash at its end; empty for the root
 */
export async function sourceFiles(folder: string, prefix = ""): Promise<SourceFile[]> {
  return inFolder(folder, "", await rulesOfRoot(folder), prefix);
}

async function inFolder(
  root: string,
  inside: string,
  rules: readonly IgnoreRules[],
  prefix: string,
): Promise<SourceFile[]> {
  const folder = join(root, inside);
  const entries = await readdir(folder, { withFileTypes: true });
  // A virtual environment may have any name.
  if (inside !== "" && entries.some(({ name }) => name === "pyvenv.cfg")) return [];
  const inner = inside === "" ? undefined : await rulesOfInner(folder, inside);
  const all = inner ? [...rules, inner] : rules;
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = `${inside}${entry.name}`;
      if (entry.isDirectory())
        return isLeftOutWhole(`${path}/`, all) ? [] : inFolder(root, `${path}/`, all, prefix);
      if (!entry.isFile() || isLeftOut(path, all)) return [];
      const place = join(root, path);
      const { size, mode } = await lstat(place);
      return [{ place, path: prefix + path, bytes: size, isExecutable: (mode & 0o100) !== 0 }];
    }),
  );
  return found.flat();
}
