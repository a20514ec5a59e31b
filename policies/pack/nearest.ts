import leven from "leven";

/** Returns the known word that a misspelled one most likely means, or `undefined` if none is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  // Two swapped letters count as two changes.
  const most = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 4));
  return known
    .map((one) => ({ one, distance: leven(one.toLowerCase(), word.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)[0]?.one;
}
