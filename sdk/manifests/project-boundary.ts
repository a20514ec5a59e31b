import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../provider/local-source/files";
import type { Fault } from "./fault";
import { type DeclaredResource, locate } from "./parse";
import { parseReferences } from "./references";
import { valueAt } from "./texts";

/**
 * Returns a fault for each folder of a manifest that is neither in the project, nor in the folder of the manifests, nor in
 * the git repositories of the two: a manifest must not send other files of this machine.
 */
export function foldersOutside(
  resources: readonly DeclaredResource[],
  { root, manifests }: { root: string; manifests: string },
): Fault[] {
  const limits = [root, resolve(root, manifests)].map((folder) => {
    const real = realPath(folder);
    return repositoryOf(real) ?? real;
  });
  return resources.flatMap((resource) =>
    foldersIn(resource).flatMap(({ path, folder }) => {
      const { file } = resource.place(path);
      const real = realPath(resolve(root, dirname(file), folder));
      if (limits.some((limit) => isInside(real, limit))) return [];
      const reason =
        "is outside of the project and its git repository, and a manifest cannot send other files; move it, or declare the resource in the program";
      return locate(resource, [{ path, reason, aboutName: false }]);
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

/** The text that a resource gets: `$${` is `${`. These fields contain no references. */
function literalText(text: string): string {
  const parsed = parseReferences(text);
  if ("fault" in parsed) return text;
  return parsed.parts.map((part) => ("literal" in part ? part.literal : "")).join("");
}

/** The path without links, as far as it exists. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const above = dirname(path);
  return above === path ? path : join(realPath(above), path.slice(above.length));
}

function repositoryOf(folder: string): string | undefined {
  if (isRepository(folder)) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}

/** Same as the provider's function of this name, which is asynchronous: an empty `.git` does not count. */
function isRepository(folder: string): boolean {
  const git = join(folder, ".git");
  if (!statSync(git, { throwIfNoEntry: false })?.isFile())
    return ["HEAD", "objects", "refs"].every((name) => existsSync(join(git, name)));
  const [, target] = /^gitdir: (.+)/.exec(readFileSync(git, "utf8")) ?? [];
  return target !== undefined && existsSync(resolve(folder, target, "HEAD"));
}
