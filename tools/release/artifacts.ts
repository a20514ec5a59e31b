import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ArchivedFile, readArchive } from "./archive";

/** Archive in a release: a package, an SDK, or an executable. */
export interface Artifact {
  /** Name of the archive's file. */
  file: string;
  /** Name of the archive's file without the version. */
  name: string;
  /** Size of the archive in bytes. */
  size: number;
  /** Files in the archive, without the top folder of npm and Python packages, and without the version in paths. */
  contents: ArchivedFile[];
  /** Contents of package.json, if the archive is an npm package. */
  manifest?: Record<string, unknown>;
  /** Metadata of the package, if the archive is a Python wheel. */
  metadata?: string;
  /** Text of the README that a package index displays. */
  readme?: string;
}

/** Reads the archives in the folder of a release. */
export async function readArtifacts(folder: string, version: string): Promise<Artifact[]> {
  const files = readdirSync(folder).filter((file) => /\.(tgz|tar\.gz|whl)$/.test(file));
  return Promise.all(files.sort().map((file) => readArtifact(folder, file, version)));
}

async function readArtifact(folder: string, file: string, version: string): Promise<Artifact> {
  const path = join(folder, file);
  const isText = (one: string) => /^package\/(package\.json|README\.md)$|\.dist-info\/METADATA$/.test(one);
  const { files, texts } = await readArchive(path, isText);
  const artifact: Artifact = {
    file,
    name: withoutVersion(file, version),
    size: statSync(path).size,
    contents: files.map((one) => ({ ...one, path: pathInPackage(one.path, file, version) })),
  };
  if (file.endsWith(".tgz")) {
    artifact.manifest = JSON.parse(texts["package/package.json"] ?? "{}") as Record<string, unknown>;
    artifact.readme = texts["package/README.md"] ?? "";
  }
  if (file.endsWith(".whl")) {
    [artifact.metadata = "", artifact.readme = ""] = splitOnce(Object.values(texts)[0] ?? "", "\n\n");
  }
  return artifact;
}

function withoutVersion(text: string, version: string): string {
  return text.replace(`-v${version}`, "").replace(`-${version}`, "");
}

function pathInPackage(path: string, file: string, version: string): string {
  const inside = file.endsWith(".tgz") ? path.replace(/^package\//, "") : path;
  return withoutVersion(inside, version);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
