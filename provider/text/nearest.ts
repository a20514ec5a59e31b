import leven from "leven";

/** Returns the known word that an unknown word is probably a misspelling of; `undefined` if no word is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = plain(word);
  // Two transposed letters count as two changes.
  const most = given.length < 4 ? 1 : Math.max(2, Math.floor(given.length / 4));
  const ranked = known
    .map((one) => ({ one, distance: leven(plain(one), given) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= most ? best.one : undefined;
}

/** Returns a field name in lowercase without separators, because users confuse `repo_url`, `repoURL`, and `repoUrl`. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}
