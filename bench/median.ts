/** Returns the median. For an even number of values, returns the greater of the two middle values. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
