/** Throws an error that names the violated guarantee. */
export function promise(isKept: boolean, broken: string): asserts isKept {
  if (!isKept) throw new Error(`Broken promise: ${broken}`);
}
