import { sizeText } from "../../../wire";
import { posix, resolve } from "node:path";
import { AgentServerError } from "../../errors";
import { requireFit } from "../../local-source/archive";
import { readLocalSource, type LocalSource } from "../../local-source/contents";
import { packedListing } from "../../local-source/listing";
import { failure, info, warning, type Finding } from "../../resource/inputs/finding";
import type { Computed } from "../../resource/kind";
import { at, type Props } from "../../resource/inputs/values";
import type { SourceRevisionConfigInputs } from "../inputs/inputs";

const group = "sourceRevisionConfig";

/** Size of a source before compression, in bytes, above which the preview logs a warning. */
const largeSource = 50 * 1024 * 1024;

/** Inputs that specify a source in a folder. */
type FolderInputs = Pick<
  SourceRevisionConfigInputs,
  "graphConfigPath" | "dependencyFolders" | "contentHash"
> & { folder: string };

/** Reads the source in a folder on this machine. */
export function readFolder(
  { folder, graphConfigPath, dependencyFolders = [] }: FolderInputs,
  workingFolder: string,
): Promise<LocalSource> {
  return readLocalSource(resolve(workingFolder, folder), graphConfigPath ?? "langgraph.json", {
    workingFolder: resolve(workingFolder),
    dependencyFolders: dependencyFolders.map((one) => resolve(workingFolder, one)),
  });
}

/** The folders that a program deploys. Each folder is read once per run. */
export class LocalFolders {
  private readonly read = new Map<string, Promise<LocalSource>>();

  /** Returns the hash and the file list of the folder that the inputs specify, unless the folder is unknown. */
  async computed(inputs: Props, workingFolder: string): Promise<Computed> {
    const config = at(inputs, group) ?? {};
    if (!isKnown(config)) return { values: {}, findings: [] };
    try {
      const source = await this.sourceOf(config, workingFolder);
      return {
        values: { [`${group}.contentHash`]: source.contentHash, __files: packedListing(source.files) },
        findings: [
          ...contentsFindings(source, config.contentHash),
          ...folderFindings(source),
          ...sizeFindings(source),
          ...sensitiveFindings(source),
        ],
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

/**
 * Reports a folder whose contents differ from those that the previous environment has verified.
 * @param verified hash of the contents that the previous environment has verified; only `Environments` specifies it
 */
function contentsFindings({ contentHash }: LocalSource, verified: unknown): Finding[] {
  if (typeof verified !== "string" || verified === contentHash) return [];
  const reason =
    "differs from the contents that the previous environment has verified; run the command again without --target and --exclude, so that they are verified there first";
  return [failure(`${group}.folder`, reason)];
}

function folderFindings({ allowed, gitProblem }: LocalSource): Finding[] {
  return [
    ...allowed.map((folder) =>
      info(`${group}.dependencyFolders`, `sends ${folder}, which is outside the project`),
    ),
    ...(gitProblem === undefined
      ? []
      : [
          warning(
            `${group}.folder`,
            `is in a Git repository that cannot be read (${gitProblem}), so the file system determines which files are executable, and tracked files that are listed in a .gitignore are omitted`,
          ),
        ]),
  ];
}

/** Files that often contain secrets: machine-specific settings, keys, and credentials of tools. */
const sensitiveFiles = [
  /^\.env(?!\.(?:example|sample|template|dist|defaults)$)(?:\..+)?$/,
  /^\.envrc$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx)$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^(?:[._]netrc|\.pgpass|\.pypirc|\.htpasswd|\.git-credentials|kubeconfig)$/,
  /^(?:.*[-_])?(?:credentials|client_secret|service[-_]account|gha-creds)(?:[-_].*)?\.json$/i,
  /^secrets?\.(?:json|ya?ml|toml)$/i,
  /\.tfstate$/,
];

const listedFiles = 10;

/** Warns about files that often contain secrets. */
function sensitiveFindings({ files }: LocalSource): Finding[] {
  const found = files
    .map(({ path }) => path)
    .filter((path) => sensitiveFiles.some((name) => name.test(posix.basename(path))));
  if (found.length === 0) return [];
  const more = found.length > listedFiles ? [`${found.length - listedFiles} more`] : [];
  const it = found.length === 1 ? "it" : "them";
  return [
    warning(
      `${group}.folder`,
      `sends ${[...found.slice(0, listedFiles), ...more].join(", ")}, which often ${found.length === 1 ? "contains" : "contain"} secrets; list ${it} in a .gitignore or .dockerignore, and use secrets or environmentVariables instead`,
    ),
  ];
}

function sizeFindings({ bytes, files }: LocalSource): Finding[] {
  if (bytes <= largeSource) return [];
  const largest = files.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  return [
    warning(
      `${group}.folder`,
      `contains ${sizeText(bytes)} in ${files.length} files, the largest of which is ${largest.path} (${sizeText(largest.bytes)}); to exclude files that the agent does not need, list them in .dockerignore or .gitignore`,
    ),
  ];
}
