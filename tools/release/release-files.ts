import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extract } from "tar";
import { run } from "../process";
import { billOfMaterials } from "./bill-of-materials";
import { writeChecksums } from "./checksums";
import { releasedPackages, type Manifest, type Package } from "./packages";
import { type FileAddress, withAbsoluteLinks } from "./readme";

/** Options of `createReleaseFiles`. */
export interface ReleaseOptions {
  /** Folder of the repository, with compiled packages. */
  root: string;
  /** Tag, which consists of `v` and the version. */
  tag: string;
  /** URL of the released repository, for example `https://github.com/owner/name`. The provenance is bound to it. */
  repository: string;
  /** Output folder, which is empty or does not exist yet. */
  output: string;
  /** True to accept a changelog without a date for the version. */
  allowUndated?: boolean;
  /** Writes the schema and the SDKs of the provider plugin, and the plugin for pytest, into a folder. */
  writeSdks: (folder: string) => Promise<unknown>;
  /** Writes the archives of the provider plugin into a folder. */
  writeArchives: (folder: string) => Promise<unknown>;
  signal?: AbortSignal;
}

/**
 * Writes the files of a release. The `packages` folder contains the packages, a CycloneDX SBOM of each package's
 * installation, the schema, the SDKs, the plugin for pytest, the archives of the provider plugin, and the SHA-256
 * checksums of all these files. The file `notes.md` contains the version's section of the changelog.
 * @throws Error if the engine would not find the archives
 */
export async function createReleaseFiles({
  root,
  tag,
  repository,
  output,
  allowUndated = false,
  writeSdks,
  writeArchives,
  signal,
}: ReleaseOptions): Promise<void> {
  const packages = releasedPackages(root, tag);
  const address = { root, repository, tag };
  checkDownloadUrl(root, repository);
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const notes = withAbsoluteLinks(releaseNotes(changelog, tag.slice(1), allowUndated), "", address);
  const files = join(output, "packages");
  mkdirSync(files, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), "agentserver-release-"));
  try {
    for (const one of packages) {
      const folder = join(work, one.manifest.name);
      await unpack(root, one, folder, signal);
      const manifest = publishedManifest(readManifest(folder), one, repository);
      writeManifest(folder, manifest);
      rewriteReadme(folder, one, address);
      await npm(["pack", "--ignore-scripts", "--pack-destination", files], folder, signal);
      const sbom = await billOfMaterials(root, one, signal);
      writeFileSync(join(files, `${manifest.name}-${manifest.version}.cdx.json`), sbom);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  await writeSdks(files);
  await writeArchives(files);
  writeChecksums(files, readdirSync(files));
  writeFileSync(join(output, "notes.md"), notes);
}

/** Checks that the engine downloads the provider plugin from the releases of this repository. */
function checkDownloadUrl(root: string, repository: string): void {
  const schema = readFileSync(join(root, "schemas", "agentserver.json"), "utf8");
  const { pluginDownloadURL } = JSON.parse(schema) as { pluginDownloadURL: string };
  const expected = repository.replace("https://github.com/", "github://api.github.com/");
  if (pluginDownloadURL === expected) return;
  throw new Error(
    `The engine would download the provider plugin from ${pluginDownloadURL} instead of ${expected}. Change the URL in tools/schemas/package-schema.ts, and run \`npm run schemas\`.`,
  );
}

/** Packs the package with npm, and unpacks it into a folder. */
async function unpack(
  root: string,
  { folder, manifest }: Package,
  into: string,
  signal?: AbortSignal,
): Promise<void> {
  mkdirSync(into, { recursive: true });
  await npm(["pack", "--ignore-scripts", "--pack-destination", into], join(root, folder), signal);
  const tarball = join(into, `${manifest.name}-${manifest.version}.tgz`);
  await extract({ file: tarball, cwd: into, strip: 1 });
  rmSync(tarball);
}

/** Returns the package.json without the fields for development, and with the URL of the repository. */
function publishedManifest(
  { scripts, devDependencies, workspaces, allowScripts, ...manifest }: Manifest,
  one: Package,
  repository: string,
): Manifest {
  return { ...manifest, repository: repositoryOf(one, repository) };
}

function rewriteReadme(folder: string, one: Package, address: FileAddress): void {
  const file = join(folder, "README.md");
  if (existsSync(file))
    writeFileSync(file, withAbsoluteLinks(readFileSync(file, "utf8"), one.folder, address));
}

function repositoryOf({ folder }: Package, address: string): object {
  const url = `git+${address}.git`;
  return folder === "" ? { type: "git", url } : { type: "git", url, directory: folder };
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

async function npm(args: string[], cwd: string, signal?: AbortSignal): Promise<string> {
  const { code, stdout, stderr } = await run("npm", args, { cwd, signal });
  if (code !== 0) throw new Error(`npm ${args[0]} in ${cwd} failed:\n${stderr.trim()}`);
  return stdout;
}

/**
 * Returns the section for a version in a changelog in the Keep a Changelog format, without its heading.
 * @param allowUndated true to accept a heading without a date, or the section "Unreleased"
 * @throws Error if the section is missing or empty
 */
function releaseNotes(changelog: string, version: string, allowUndated: boolean): string {
  const sections = changelog.split(/^## /m).slice(1);
  const headings = [`[${version}] - `, ...(allowUndated ? [`[${version}]`, "[Unreleased]"] : [])];
  const found = headings.map((heading) => sections.find((text) => text.startsWith(heading)));
  const section = found.find((text) => text !== undefined);
  const notes = section?.slice(section.indexOf("\n")).trim();
  if (notes) return `${notes}\n`;
  throw new Error(
    `CHANGELOG.md has no section "## [${version}] - <date>", or it is empty. Rename the section "Unreleased", commit the change, and tag the new commit.`,
  );
}
