import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { isGitData, isInside, repositoryOf, slashed } from "../../provider/local-source/files";
import { isIgnoredFolder } from "../../provider/local-source/git-rules";
import { isExcludedName } from "../../provider/local-source/source-files";
import type { Fault } from "./fault";
import { type DeclaredResource, locate } from "./parse";
import { parseReferences } from "./references";
import { valueAt } from "./texts";

/**
 * Returns a fault for each folder in a manifest that must not be deployed, so that a manifest cannot deploy other files
 * on this machine. A folder must be inside the git repository of the project or of the manifests folder, or inside one
 * of these two folders if that folder is not in a repository. Folders that are always excluded, and folders that git
 * ignores, are also rejected.
 */
export function refusedFolders(
  resources: readonly DeclaredResource[],
  { root, manifests }: { root: string; manifests: string },
): Fault[] {
  const [project, folder] = [root, resolve(root, manifests)].map(realPath) as [string, string];
  const limits = [project, folder].map((one) => repositoryOf(one) ?? one);
  const reasonFor = (real: string) => {
    const another = "specify another folder";
    if (isGitData(real)) return `is Git's own data, which is never sent; ${another}`;
    const limit = limits.find((one) => isInside(real, one));
    if (limit !== undefined && real.slice(limit.length).split("/").some(isExcludedName))
      return `contains dependencies, a cache, or a virtual environment, which are never sent; ${another}`;
    const advice = `and a manifest cannot deploy such files; ${another}, or declare the resource in the program`;
    if (limit === undefined) return `is outside the project and its Git repository, ${advice}`;
    return isIgnoredFolder(real, project) ? `is ignored by Git, ${advice}` : undefined;
  };
  return resources.flatMap((resource) =>
    foldersIn(resource).flatMap(({ path, folder }) => {
      const { file } = resource.place(path);
      const reason = reasonFor(realPath(resolve(root, dirname(file), folder)));
      return reason === undefined ? [] : locate(resource, [{ path, reason, aboutName: false }]);
    }),
  );
}

function foldersIn({ kind, spec }: DeclaredResource): { path: string[]; folder: string }[] {
  const group = kind === "Deployment" ? ["sourceRevisionConfig"] : [];
  const others = valueAt(spec, [...group, "dependencyFolders"]);
  const all: [string[], unknown][] = [
    [["folder"], valueAt(spec, [...group, "folder"])],
    ...(Array.isArray(others) ? others : []).map((folder: unknown, index): [string[], unknown] => [
      ["dependencyFolders", String(index)],
      folder,
    ]),
  ];
  return all.flatMap(([path, folder]) =>
    typeof folder === "string" ? [{ path: ["spec", ...group, ...path], folder: literalText(folder) }] : [],
  );
}

/**
 * Returns the string that a resource receives: `$${` becomes `${`. The fields checked here cannot contain references.
 */
function literalText(text: string): string {
  const parsed = parseReferences(text);
  if ("fault" in parsed) return text;
  return parsed.parts.map((part) => ("literal" in part ? part.literal : "")).join("");
}

/**
 * Returns the path with forward slashes and without a trailing slash, after resolving links in the part that exists.
 */
function realPath(path: string): string {
  if (existsSync(path)) return slashed(realpathSync.native(path)).replace(/\/$/, "");
  const above = dirname(path);
  return above === path ? slashed(path) : `${realPath(above)}/${basename(path)}`;
}
