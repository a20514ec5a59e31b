import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { notStarted, runSupervised } from "../../../process/supervised-command";
import { buildEnvironment } from "../../build/environment";
import type { RolloutJournal } from "../../build/journal";
import type { Project } from "../runtime";
import { installationKey, keepPackages, takePackages } from "./known-packages";

const manifest = z.looseObject({
  scripts: z.record(z.string(), z.unknown()).optional(),
  dependencies: z.record(z.string(), z.unknown()).optional(),
  devDependencies: z.record(z.string(), z.unknown()).optional(),
  optionalDependencies: z.record(z.string(), z.unknown()).optional(),
  workspaces: z.unknown().optional(),
});

/**
 * Installs the npm packages that the project declares, if any. As in a real build, packages run their install scripts,
 * development dependencies are also installed, and exact versions are taken from the lock file. If the same packages
 * have already been installed, they are copied.
 */
export async function installDependencies(
  { root, folder: projectFolder, owner, hasBuildCommand }: Omit<Project, "language" | "revisionFolder">,
  journal: RolloutJournal,
  signal: AbortSignal,
): Promise<void> {
  const folder = await folderToInstall(root, projectFolder);
  if (folder === undefined) return journal.log("build", "INFO", "No npm dependencies to install.");
  const key = await installationKey(folder, (await readManifest(root, folder)) ?? {});
  const copies = { isShared: !hasBuildCommand };
  if (key !== undefined && (await takePackages(key, folder, copies))) {
    const { node } = process.versions;
    journal.log(
      "build",
      "INFO",
      `The same packages have already been installed for Node ${node}; reusing them.`,
    );
    return;
  }
  signal.throwIfAborted();
  const locked =
    existsSync(join(folder, "package-lock.json")) || existsSync(join(folder, "npm-shrinkwrap.json"));
  for (const other of ["yarn.lock", "pnpm-lock.yaml", "bun.lock"]) {
    if (existsSync(join(folder, other)))
      journal.log("build", "WARNING", `${other} is ignored; npm installs the packages.`);
  }
  const args = [
    ...(locked ? ["ci", "--prefer-offline"] : ["install", "--no-save", "--no-package-lock"]),
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--no-update-notifier",
  ];
  journal.log(
    "build",
    "INFO",
    `Running npm ${args[0]} in ${relative(root, folder) || "the root of the source"}.`,
  );
  const errors: string[] = [];
  const code = await runSupervised({
    command: "npm",
    args,
    folder,
    environment: buildEnvironment(),
    owner,
    signal,
    line(line) {
      const complaint = /^npm (?:error|ERR!) ?(.*)$/.exec(line)?.[1];
      if (complaint !== undefined) errors.push(complaint);
      if (line.trim() === "") return;
      journal.log("build", complaint !== undefined ? "ERROR" : npmLevel(line), line);
    },
  });
  if (code === 0) {
    signal.throwIfAborted();
    if (key !== undefined) await keepPackages(key, folder, copies);
    return;
  }
  if (code === notStarted) throw new Error("The npm dependencies cannot be installed: npm is not on PATH.");
  throw new Error(`npm ${args[0]} exited with code ${code}: ${shortReason(errors)}. See the build log.`);
}

/**
 * Returns the nearest folder at or above the project with a package.json that declares packages. In a workspace, this
 * is the root, which installs the packages for all of its projects.
 */
async function folderToInstall(root: string, projectFolder: string): Promise<string | undefined> {
  const inRoot = await readManifest(root, root);
  if (inRoot?.workspaces !== undefined) return root;
  for (let folder = projectFolder; ; folder = dirname(folder)) {
    const found = folder === root ? inRoot : await readManifest(root, folder);
    const named = { ...found?.dependencies, ...found?.devDependencies, ...found?.optionalDependencies };
    if (Object.keys(named).length > 0) return folder;
    if (folder === root) return undefined;
  }
}

/**
 * Returns the level of a line of npm output that is not an error. Only summaries and warnings are relevant to users.
 */
export function npmLevel(line: string): "DEBUG" | "INFO" | "WARNING" {
  if (/^npm (?:warn|WARN) (?!deprecated)/.test(line)) return "WARNING";
  return /^(?:added|removed|changed|up to date)\b/.test(line) ? "INFO" : "DEBUG";
}

async function readManifest(root: string, folder: string): Promise<z.infer<typeof manifest> | undefined> {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    return manifest.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    const why =
      error instanceof z.ZodError ? z.prettifyError(error).replaceAll("\n", " ") : (error as Error).message;
    throw new Error(`${relative(root, file)} is not a valid package.json: ${why}.`);
  }
}

function shortReason(errors: string[]): string {
  const lines = errors.filter(
    (line) => line !== "" && !/complete log of this run|^\s*\/.*debug-\d+\.log$/.test(line),
  );
  return lines.slice(0, 4).join("; ") || "it reported no error";
}
