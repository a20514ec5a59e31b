/** So many names are shown; of the others only how many they are. */
const mostNames = 50;
const longestName = 200;

/**
 * Names that clients chose, few and short enough to keep.
 *
 * @param hide - Takes secrets out of a name.
 */
export function named(names: Iterable<string>, hide: (text: string) => string): string[] {
  const shown: string[] = [];
  let others = 0;
  for (const name of names)
    // Not cut: half a secret would no longer be known for one.
    if (shown.length < mostNames)
      shown.push(name.length > longestName ? `[${name.length} characters]` : hide(name));
    else others += 1;
  return others > 0 ? [...shown, `and ${others} more`] : shown;
}
