import { resolve } from "node:path";
import { AgentServerError } from "../../errors";
import { inMegabytes, requireFit } from "../../local-source/archive";
import { readLocalSource, type LocalSource } from "../../local-source/contents";
import { packedListing } from "../../local-source/listing";
import { failure, info, warning, type Finding } from "../../resource/inputs/finding";
import type { Computed } from "../../resource/kind";
import { at, type Props } from "../../resource/inputs/values";
import type { SourceRevisionConfigInputs } from "../inputs/inputs";

const group = "sourceRevisionConfig";

/** Size from which the preview warns, in bytes before the source is packed. */
const largeSource = 50 * 1024 * 1024;

/** The inputs that specify a source on this machine. */
type FolderInputs = Pick<SourceRevisionConfigInputs, "graphConfigPath" | "dependencyFolders"> & {
  folder: string;
};

/** Reads the source in a folder. */
export function readFolder(
  { folder, graphConfigPath, dependencyFolders = [] }: FolderInputs,
  workingFolder: string,
): Promise<LocalSource> {
  return readLocalSource(resolve(workingFolder, folder), graphConfigPath ?? "langgraph.json", {
    workingFolder: resolve(workingFolder),
    dependencyFolders: dependencyFolders.map((one) => resolve(workingFolder, one)),
  });
}

/** The folders that a program deploys, each read once in a run. */
export class LocalFolders {
  private readonly read = new Map<string, Promise<LocalSource>>();

  /** The hash and the list of the files in the folder that the inputs specify, unless it is not known yet. */
  async computed(inputs: Props, workingFolder: string): Promise<Computed> {
    const config = at(inputs, group) ?? {};
    if (!isKnown(config)) return { values: {}, findings: [] };
    try {
      const source = await this.sourceOf(config, workingFolder);
      return {
        values: { [`${group}.contentHash`]: source.contentHash, __files: packedListing(source.files) },
        findings: [...folderFindings(source), ...sizeFindings(source), ...environmentFindings(source)],
      };
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      return { values: {}, findings: [failure(`${group}.folder`, error.message.replace(/\.$/, ""))] };
    }
  }

  private sourceOf(config: FolderInputs, workingFolder: string): Promise<LocalSource> {
    const key = JSON.stringify([
      workingFolder,
      config.folder,
      config.graphConfigPath,
      config.dependencyFolders,
    ]);
    const known = this.read.get(key);
    if (known) return known;
    const reading = readFolder(config, workingFolder).then(async (source) => {
      await requireFit(source);
      return source;
    });
    this.read.set(key, reading);
    return reading;
  }
}

function isKnown(config: object): config is FolderInputs {
  const { folder, graphConfigPath, dependencyFolders = [] } = config as Props;
  return (
    typeof folder === "string" &&
    (graphConfigPath == null || typeof graphConfigPath === "string") &&
    Array.isArray(dependencyFolders) &&
    dependencyFolders.every((one) => typeof one === "string")
  );
}

function folderFindings({ allowed, gitProblem }: LocalSource): Finding[] {
  return [
    ...allowed.map((folder) =>
      info(`${group}.dependencyFolders`, `sends ${folder}, which is outside of the project`),
    ),
    ...(gitProblem === undefined
      ? []
      : [
          warning(
            `${group}.folder`,
            `is in a git repository that cannot be read (${gitProblem}), so this machine decides which files are executable, and tracked files that a .gitignore names stay out`,
          ),
        ]),
  ];
}

/** Warns of files whose values are for one machine, and often secret. */
function environmentFindings({ files }: LocalSource): Finding[] {
  const found = files.filter(({ path }) => /(^|\/)\.env$/.test(path)).map(({ path }) => path);
  if (found.length === 0) return [];
  return [
    warning(
      `${group}.folder`,
      `sends ${found.join(", ")}, which often holds secrets; name it in a .gitignore or .dockerignore in the folder, and give its values in secrets or environmentVariables`,
    ),
  ];
}

function sizeFindings({ bytes, files }: LocalSource): Finding[] {
  if (bytes <= largeSource) return [];
  const largest = files.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  return [
    warning(
      `${group}.folder`,
      `holds ${inMegabytes(bytes)} in ${files.length} files, the largest of them ${largest.path} (${inMegabytes(largest.bytes)}); name what the agent does not need in .dockerignore or .gitignore`,
    ),
  ];
}
