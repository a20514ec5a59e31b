import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve, sep } from "node:path";

/** A file that the source does not have. */
export class MissingFile extends Error {}

/** Absolute, real path of a file that must lie in the checkout, also when links are followed. */
export async function insideCheckout(
  root: string,
  from: string,
  path: string,
  what: string,
): Promise<string> {
  const outside = new Error(`${what} lies outside the source.`);
  const target = resolve(from, path);
  if (isAbsolute(path) || !contains(root, target)) throw outside;
  let real: string;
  try {
    real = await realpath(target);
    if (!(await stat(real)).isFile()) throw new Error("not a file");
  } catch {
    throw new MissingFile(`${what} does not exist in the source of this revision.`);
  }
  if (!contains(root, real)) throw outside;
  return real;
}

function contains(root: string, path: string): boolean {
  return path === root || path.startsWith(root + sep);
}
