/**
 * True if a path is ignored according to the documentation of `.dockerignore`: a pattern matches a path or one of its
 * parent folders, and the last matching pattern decides.
 */
export function isIgnoredByDocumentation(patterns: readonly string[], path: string): boolean {
  const places = [...foldersOf(path), path];
  let isIgnored = false;
  for (const line of patterns.map((one) => one.trim())) {
    const pattern = line.replace(/^!/, "").replace(/^\//, "").replace(/\/$/, "");
    if (places.some((place) => isMatch(Array.from(pattern), Array.from(place))))
      isIgnored = !line.startsWith("!");
  }
  return isIgnored;
}

export function foldersOf(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
}

/** True if a pattern matches a path. Tries every possible match of the wildcards, character by character. */
function isMatch(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, second] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === "*" && second === "*") {
    const rest = pattern.slice(pattern[2] === "/" ? 3 : 2);
    if (rest.length === 0) return true;
    const starts = [0, ...path.flatMap((character, index) => (character === "/" ? [index + 1] : []))];
    return starts.some((start) => isMatch(rest, path.slice(start)));
  }
  if (first === "*") {
    const end = path.indexOf("/");
    const lengths = Array.from({ length: (end === -1 ? path.length : end) + 1 }, (_, length) => length);
    return lengths.some((length) => isMatch(pattern.slice(1), path.slice(length)));
  }
  const [character] = path;
  if (character === undefined) return false;
  if (first === "[") {
    const end = pattern.indexOf("]");
    const isNegated = second === "^";
    const isMember = pattern.slice(isNegated ? 2 : 1, end).includes(character);
    return isMember !== isNegated && isMatch(pattern.slice(end + 1), path.slice(1));
  }
  if (first === "\\") return character === second && isMatch(pattern.slice(2), path.slice(1));
  return (
    (first === "?" ? character !== "/" : character === first) && isMatch(pattern.slice(1), path.slice(1))
  );
}
