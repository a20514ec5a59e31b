import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../build/ensure-built";
import { writeArchives } from "../executables/archives";
import { bundlePlugin } from "../executables/bundle";
import type { Progress } from "../progress";
import { repositoryRoot } from "../repository";
import { type Artifact, readArtifacts } from "./artifacts";
import budgets from "./budgets.json";
import { writeFileLists } from "./checks/file-lists";
import type { LicensedPackage } from "./checks/licenses";
import { checkRelease } from "./checks/run-checks";
import { sizeTable } from "./checks/size-budgets";
import { createReleaseFiles, type ReleaseOptions } from "./release-files";
import { writePytestPlugin, writeSdks } from "./sdk-files";

/** Options of `createRelease`. */
export interface CreateOptions extends Pick<
  ReleaseOptions,
  "tag" | "repository" | "output" | "allowUndated"
> {
  /** True to write the lists of the archives' contents instead of comparing the archives to them. */
  updateLists?: boolean | undefined;
  progress: Progress;
  signal: AbortSignal;
}

const lists = join("tools", "release", "contents");

/**
 * Builds and checks the files for a release of this repository, and prints a table with their sizes.
 * @throws Error if a check found faults
 */
export async function createRelease({ updateLists, progress, ...options }: CreateOptions): Promise<void> {
  const { tag, repository, output, signal } = options;
  const run = { env: process.env, signal, progress };
  await ensureBuilt({ signal, progress });
  await createReleaseFiles({
    ...options,
    root: repositoryRoot,
    async writeSdks(folder) {
      await writeSdks(folder, run);
      await writePytestPlugin(folder, run);
    },
    writeArchives: (folder) => writeArchives(folder, run),
  });
  const files = join(output, "packages");
  const version = tag.slice(1);
  const artifacts: Artifact[] = await readArtifacts(files, version);
  if (updateLists) writeFileLists(artifacts, lists);
  const release = { root: repositoryRoot, files, artifacts, version, repository, lists, budgets };
  try {
    await checkRelease(
      { ...release, bundled: await bundledPackages() },
      { signal, print: (line) => console.log(line) },
    );
  } finally {
    console.log(`\n${sizeTable(artifacts, budgets)}\n`);
  }
}

/** Returns the packages whose code the executables contain. */
async function bundledPackages(): Promise<LicensedPackage[]> {
  const { packages } = await bundlePlugin();
  return packages.map((folder) => {
    const text = readFileSync(join(folder, "package.json"), "utf8");
    const { name, version, license } = JSON.parse(text) as {
      name: string;
      version: string;
      license?: string;
    };
    return { id: `${name}@${version}`, name, license };
  });
}
