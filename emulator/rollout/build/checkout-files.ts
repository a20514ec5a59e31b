import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve, sep } from "node:path";

/** Error for a file that the source does not contain. */
export class MissingFile extends Error {}

/**
 * Returns the absolute, real path of a file. After symbolic links are resolved, the file must still be in the checkout.
 */
export async function insideCheckout(
  root: string,
  from: string,
  path: string,
  what: string,
): Promise<string> {
  const outside = new Error(`${what} is outside the source.`);
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
