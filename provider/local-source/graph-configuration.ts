import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { z } from "zod";
import { AgentServerError } from "../errors";
import { commonFolder, isInside, realFolder, repositoryOf, slashed } from "./files";

const configuration = z.looseObject({ dependencies: z.array(z.unknown()).optional() });

/** Folders outside a source's own folder that may be sent as dependencies. */
export interface FolderLimits {
  /** Folder of the project. Dependencies may be anywhere in its git repository or, if there is none, in this folder. */
  project: string;
  /** Absolute paths of additional folders that the program allows. */
  dependencyFolders: readonly string[];
}

export interface SourceFolders {
  /** Folder that contains all folders of the source. It is the root of the archive. */
  common: string;
  /** Real paths of the folders to send; the first one is the source's own folder. */
  folders: string[];
  /** Folders that are sent only because the program allows them. */
  allowed: string[];
  /** Path of the graph configuration file in the archive, with forward slashes. */
  configPath: string;
}

/**
 * Returns the folder of a source, and the folders that its graph configuration lists as dependencies, such as
 * `../shared`.
 * @param folder real path
 * @throws AgentServerError `bad_configuration` if the file cannot be read, or lists a folder that does not exist or is
 * outside the limits
 */
export async function foldersOf(
  folder: string,
  graphConfigPath: string,
  { project, dependencyFolders }: FolderLimits,
): Promise<SourceFolders> {
  const file = slashed(resolve(`${folder}/`, graphConfigPath));
  const limit = repositoryOf(project) ?? project;
  await requireFileInside(file, [folder, limit], graphConfigPath);
  const listed = await Promise.all(dependencyFolders.map((one) => realFolder(one).catch(() => undefined)));
  const folders = [folder];
  const outside: string[] = [];
  for (const dependency of localDependencies(await read(file, graphConfigPath), graphConfigPath)) {
    const named = `${graphConfigPath} contains the dependency ${JSON.stringify(dependency)}`;
    const place = slashed(resolve(dirname(file), dependency)).replace(/\/$/, "");
    const real = await realFolder(place).catch(() => undefined);
    if (real === undefined)
      throw new AgentServerError(
        "bad_configuration",
        `${named}, but that folder does not exist. Correct it.`,
      );
    if (real !== place)
      throw new AgentServerError(
        "bad_configuration",
        `${named}, whose real path is ${real}. Links are not uploaded, so specify the real path.`,
      );
    if (!isInside(place, folder) && !isInside(place, limit)) outside.push(place);
    if (!folders.includes(place)) folders.push(place);
  }
  const refused = outside.filter((one) => !listed.includes(one));
  if (refused.length > 0)
    throw new AgentServerError(
      "bad_configuration",
      `${graphConfigPath} contains dependencies outside ${limit}: ${refused.join(", ")}. To send them, list them in sourceRevisionConfig.dependencyFolders; otherwise remove them from ${graphConfigPath}.`,
    );
  const common = folders.reduce(commonFolder);
  return { common, folders, allowed: outside, configPath: slashed(relative(`${common}/`, file)) };
}

/**
 * Rejects a graph configuration file that is in none of the folders in `limits`, before it is read. It could otherwise
 * be any file on this machine, or a pipe.
 */
async function requireFileInside(
  file: string,
  limits: readonly string[],
  graphConfigPath: string,
): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  // The later read reports the error.
  if (!found) return;
  const real = slashed(await realpath(file));
  if (found.isFile() && limits.some((limit) => isInside(real, limit))) return;
  throw new AgentServerError(
    "bad_configuration",
    `${graphConfigPath} ${found.isFile() ? "is outside the source's folder and the project" : "is not a file"}. It must be the path of the graph configuration file, relative to the source's folder.`,
  );
}

/**
 * Returns the dependencies in a graph configuration that are folders. They start with a dot; all others are packages.
 */
function localDependencies(text: string, graphConfigPath: string): string[] {
  const parsed = parse(text);
  const { data } = configuration.safeParse(parsed);
  if (!data)
    throw new AgentServerError(
      "bad_configuration",
      `${graphConfigPath} is not a graph configuration: it must contain a JSON object whose \`dependencies\` field is a list.`,
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
      `${graphConfigPath} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}. It must be the path of the graph configuration file, relative to the source's folder.`,
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
