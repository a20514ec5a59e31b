/** Throws an error that describes the violated guarantee, unless it was kept. */
export function promise(isKept: boolean, broken: string): asserts isKept {
  if (!isKept) throw new Error(`Broken promise: ${broken}`);
}
