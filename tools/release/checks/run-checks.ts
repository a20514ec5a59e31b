import { join } from "node:path";
import { run } from "../../process";
import type { Artifact } from "../artifacts";
import { checksumFaults } from "../checksums";
import { bundledPackages, lockedPackages } from "../locked-packages";
import { packagesOf } from "../packages";
import { relativeLinks } from "../readme";
import { fileListFaults } from "./file-lists";
import { type LicensedPackage, licenseFaults } from "./licenses";
import { metadataFaults } from "./metadata";
import { type Budgets, sizeFaults } from "./size-budgets";

/** Release whose files are checked. */
export interface CheckedRelease {
  /** Folder of the repository. */
  root: string;
  /** Folder that contains the files of the release. */
  files: string;
  artifacts: readonly Artifact[];
  version: string;
  repository: string;
  /** Folder with the lists of the archives' contents. */
  lists: string;
  budgets: Budgets;
  /** Packages whose code the executables contain. */
  bundled: readonly LicensedPackage[];
}

/** Options of `checkRelease`. */
export interface CheckOptions {
  signal?: AbortSignal | undefined;
  /** Prints one line per check, and the faults that it found. */
  print: (line: string) => void;
}

type Check = (release: CheckedRelease, signal?: AbortSignal) => string[] | Promise<string[]>;

const checks: Record<string, Check> = {
  "imports and types (publint, arethetypeswrong)": importFaults,
  "file lists": ({ artifacts, lists }) => fileListFaults(artifacts, lists),
  "size budgets": ({ artifacts, budgets }) => sizeFaults(artifacts, budgets),
  licenses: allLicenseFaults,
  "README links": ({ artifacts }) => readmeFaults(artifacts),
  checksums: ({ files }) => checksumFaults(files),
  metadata: ({ artifacts, version, repository }) => metadataFaults(artifacts, version, repository),
};

/**
 * Checks the files of a release.
 * @throws Error after all checks if any of them found faults
 */
export async function checkRelease(release: CheckedRelease, { signal, print }: CheckOptions): Promise<void> {
  const failed: string[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const faults = await check(release, signal);
    print(`${faults.length === 0 ? "✓" : "✗"} ${name}`);
    for (const fault of faults) print(fault.replace(/^/gm, "  "));
    if (faults.length > 0) failed.push(name);
  }
  if (failed.length > 0) throw new Error(`The release has faults: ${failed.join(", ")}.`);
}

/** Checks that users can import the packages, with types. */
async function importFaults(
  { root, files, artifacts }: CheckedRelease,
  signal?: AbortSignal,
): Promise<string[]> {
  const script = join(root, "tools", "release", "checks", "check-packages.mjs");
  const tarballs = artifacts.map(({ file }) => file).filter((file) => file.endsWith(".tgz"));
  const { code, stdout, stderr } = await run(process.execPath, [script, ...tarballs], { cwd: files, signal });
  return code === 0 ? [] : `${stdout}${stderr}`.trim().split("\n");
}

function allLicenseFaults({ root, artifacts, version, bundled }: CheckedRelease): string[] {
  const dependencies = packagesOf(root).flatMap(({ folder, manifest }) => {
    const file = `${manifest.name}-${version}.tgz`;
    return [
      ...licenseFaults(file, lockedPackages(root, folder), "installed"),
      ...licenseFaults(file, bundledPackages(root, folder), "bundled"),
    ];
  });
  const executables = artifacts.filter(({ name }) => name.startsWith("pulumi-resource-"));
  return [...dependencies, ...executables.flatMap(({ file }) => licenseFaults(file, bundled, "bundled"))];
}

function readmeFaults(artifacts: readonly Artifact[]): string[] {
  return artifacts.flatMap(({ file, readme = "", contents }) =>
    relativeLinks(readme)
      .filter((link) => !contents.some(({ path }) => path === link.split("#")[0]!.replace(/^\.\//, "")))
      .map(
        (link) =>
          `${file}: README.md links to ${link}, which is not in the package. Use the URL of the file in the repository.`,
      ),
  );
}
