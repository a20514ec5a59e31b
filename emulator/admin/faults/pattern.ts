import { selfHostedPrefix } from "../../control-plane/prefix";

/**
 * Whether a path fits a pattern: `:name` and `*` stand for one segment, `**` at the end for the rest. The prefix under
 * which the control plane is also served does not count.
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
