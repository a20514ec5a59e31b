/** Says which promise was broken. */
export function promise(isKept: boolean, broken: string): asserts isKept {
  if (!isKept) throw new Error(`Broken promise: ${broken}`);
}
