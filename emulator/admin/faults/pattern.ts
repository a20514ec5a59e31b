import { selfHostedPrefix } from "../../control-plane/prefix";

/**
 * True if a path matches a pattern. In the pattern, `:name` and `*` match one segment, and `**` at the end matches all
 * remaining segments. The prefix of self-hosted installations is ignored in both the pattern and the path.
 */
export function pathMatches(pattern: string, path: string): boolean {
  const wanted = segments(pattern);
  const given = segments(path);
  for (const [place, segment] of wanted.entries()) {
    if (segment === "**" && place === wanted.length - 1) return true;
    if (given[place] === undefined) return false;
    if (segment !== "*" && !segment.startsWith(":") && segment !== given[place]) return false;
  }
  return wanted.length === given.length;
}

function segments(path: string): string[] {
  const bare = path.startsWith(`${selfHostedPrefix}/`) ? path.slice(selfHostedPrefix.length) : path;
  return bare.split("/").filter((segment) => segment !== "");
}
