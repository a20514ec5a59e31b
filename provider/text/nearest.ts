import leven from "leven";

/** The word that was surely meant by one that is not among the known ones; nothing where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = plain(word);
  // Two letters that changed places count as two.
  const most = given.length < 4 ? 1 : Math.max(2, Math.floor(given.length / 4));
  const ranked = known
    .map((one) => ({ one, distance: leven(plain(one), given) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= most ? best.one : undefined;
}

/** Users confuse `repo_url`, `repoURL` and `repoUrl`. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}
