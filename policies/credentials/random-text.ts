const shortest = 24;
const bitsACharacter = 3.8;

/**
 * True if a string contains a part that looks random, like a key or a password: a long part with a mix of lowercase
 * letters, uppercase letters, and digits. Commits, digests, and UUIDs do not match, because they contain no uppercase
 * letters. Words do not match, because they contain long runs of letters.
 */
export function holdsRandomText(text: string): boolean {
  return (text.match(/[A-Za-z0-9+_=-]+/g) ?? []).some(
    (word) =>
      word.length >= shortest &&
      [/[a-z]/, /[A-Z]/, /[0-9]/].every((kind) => kind.test(word)) &&
      entropy(word) >= bitsACharacter &&
      changesOfKind(word) >= word.length / 3,
  );
}

/** Returns the Shannon entropy of a string, in bits per character. */
function entropy(word: string): number {
  const counts = new Map<string, number>();
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / word.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

function changesOfKind(word: string): number {
  return (word.match(/[a-z](?=[^a-z])|[A-Z](?=[^A-Z])|[0-9](?=[^0-9])/g) ?? []).length;
}
