/** Maximum number of names that are shown; the others are only counted. */
const mostNames = 50;
const longestName = 200;

/**
 * Returns names that clients chose, limited in number and length.
 *
 * @param hide - Redacts secrets in a name.
 */
export function named(names: Iterable<string>, hide: (text: string) => string): string[] {
  const shown: string[] = [];
  let others = 0;
  for (const name of names)
    // Not truncated: half a secret would no longer be recognized.
    if (shown.length < mostNames)
      shown.push(name.length > longestName ? `[${name.length} characters]` : hide(name));
    else others += 1;
  return others > 0 ? [...shown, `and ${others} more`] : shown;
}
