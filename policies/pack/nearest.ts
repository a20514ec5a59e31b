import leven from "leven";

/** The word that was surely meant by one that is not among the known ones; nothing where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 4));
  return known
    .map((one) => ({ one, distance: leven(one.toLowerCase(), word.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)[0]?.one;
}
