/** Returns the median; for an even number of values, the greater of the two middle ones. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
