/**
 * Throws an error if a guarantee was violated.
 * @param broken description of the violation
 */
export function promise(isKept: boolean, broken: string): asserts isKept {
  if (!isKept) throw new Error(`Broken promise: ${broken}`);
}
