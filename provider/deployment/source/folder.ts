import { resolve } from "node:path";
import { AgentServerError } from "../../errors";
import { inMegabytes, largestArchive } from "../../local-source/archive";
import { readLocalSource, type LocalSource } from "../../local-source/contents";
import { packedListing } from "../../local-source/listing";
import { failure, warning, type Finding } from "../../resource/inputs/finding";
import type { Computed } from "../../resource/kind";
import { at, type Props } from "../../resource/inputs/values";
import { usualGraphConfigPath } from "./upload";

const group = "sourceRevisionConfig";

/** Size from which a source is worth a word, in bytes before it is packed. */
const largeSource = 50 * 1024 * 1024;

/** The folders that a program deploys, each read once in a run. */
export class LocalFolders {
  private readonly read = new Map<string, Promise<LocalSource>>();

  /** The hash and the list of the files in the folder that the inputs name, if they name one that is known. */
  async computed(inputs: Props, workingFolder: string): Promise<Computed> {
    const { folder, graphConfigPath = usualGraphConfigPath } = (at(inputs, group) ?? {}) as Props;
    if (typeof folder !== "string" || typeof graphConfigPath !== "string")
      return { values: {}, findings: [] };
    try {
      const source = await this.sourceIn(resolve(workingFolder, folder), graphConfigPath);
      return {
        values: { [`${group}.contentHash`]: source.contentHash, __files: packedListing(source.files) },
        findings: [...sizeFindings(source), ...environmentFindings(source)],
      };
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      return { values: {}, findings: [failure(`${group}.folder`, error.message.replace(/\.$/, ""))] };
    }
  }

  private sourceIn(folder: string, graphConfigPath: string): Promise<LocalSource> {
    const key = JSON.stringify([folder, graphConfigPath]);
    const known = this.read.get(key);
    if (known) return known;
    const reading = readLocalSource(folder, graphConfigPath);
    this.read.set(key, reading);
    return reading;
  }
}

/** Values that are for one machine, and often secret. */
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
  const limit =
    bytes > largestArchive ? `, and archives of more than ${inMegabytes(largestArchive)} are refused` : "";
  return [
    warning(
      `${group}.folder`,
      `holds ${inMegabytes(bytes)} in ${files.length} files, the largest of them ${largest.path} (${inMegabytes(largest.bytes)})${limit}; name what the agent does not need in .dockerignore or .gitignore`,
    ),
  ];
}
