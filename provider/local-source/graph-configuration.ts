import { lstat, readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { AgentServerError } from "../errors";

const configuration = z.looseObject({ dependencies: z.array(z.unknown()).optional() });

/** The folders that make up a source, and what they have in common. */
export interface SourceFolders {
  /** The folder that all of them are in; the root of the archive. */
  common: string;
  folders: string[];
  /** Path of the graph configuration file in the archive, with slashes. */
  configPath: string;
}

/**
 * The folder of a source, and those outside of it that its graph configuration names as dependencies: `../shared`.
 * @throws AgentServerError `bad_configuration` where the file cannot be read, or names what is not there
 */
export async function foldersOf(folder: string, graphConfigPath: string): Promise<SourceFolders> {
  const file = resolve(folder, graphConfigPath);
  const named = localDependencies(await read(file, graphConfigPath), graphConfigPath);
  const outside: string[] = [];
  for (const dependency of named) {
    const place = resolve(dirname(file), dependency);
    if (!(await isFolder(place)))
      throw new AgentServerError(
        "bad_configuration",
        `${graphConfigPath} names the dependency ${JSON.stringify(dependency)}, and there is no such folder. Correct it.`,
      );
    if ((await lstat(place)).isSymbolicLink())
      throw new AgentServerError(
        "bad_configuration",
        `${graphConfigPath} names the dependency ${JSON.stringify(dependency)}, which is a link, and links are not sent. Name the folder that it leads to.`,
      );
    if (!isInside(place, folder) && !outside.includes(place)) outside.push(place);
  }
  const folders = [folder, ...outside];
  const common = folders.reduce(commonFolder);
  return { common, folders, configPath: slashed(relative(common, file)) };
}

/** Dependencies that are folders begin with a dot; all others are packages. */
function localDependencies(text: string, graphConfigPath: string): string[] {
  const parsed = parse(text);
  const { data } = configuration.safeParse(parsed);
  if (!data)
    throw new AgentServerError(
      "bad_configuration",
      `${graphConfigPath} is not a graph configuration: it must hold a JSON object, in which \`dependencies\` is a list.`,
    );
  const texts = (data.dependencies ?? []).filter((one) => typeof one === "string");
  return texts.filter((one) => one.startsWith("."));
}

async function read(file: string, graphConfigPath: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new AgentServerError(
      "bad_configuration",
      `${graphConfigPath} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}. It must be the path of the graph configuration file, from the source's folder.`,
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function isFolder(place: string): Promise<boolean> {
  try {
    return (await stat(place)).isDirectory();
  } catch {
    return false;
  }
}

/** Whether a folder is another one, or below it. */
function isInside(place: string, folder: string): boolean {
  const way = relative(folder, place);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function commonFolder(one: string, other: string): string {
  let common = one;
  while (!isInside(other, common)) common = dirname(common);
  return common;
}

/** A path of this machine as archives have it. */
export function slashed(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
