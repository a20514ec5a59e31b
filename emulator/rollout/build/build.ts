import { existsSync, constants } from "node:fs";
import { readFile, realpath, rm, writeFile, cp } from "node:fs/promises";
import { join, relative } from "node:path";
import { treeOwner } from "../../process/process-tree";
import type { RolloutJob, RolloutReport } from "../rollout";
import { checkOut } from "../source/checkout";
import { type GraphConfiguration, readGraphConfiguration, readLanguage } from "./graph-configuration";
import type { RolloutJournal } from "./journal";
import { repositoryAddress } from "../source/repository-address";
import { runtimeOf } from "../runtimes";
import type { Project } from "../runtimes/runtime";
import { notStarted, runSupervised } from "../../process/supervised-command";
import { buildEnvironment } from "./environment";

/** A source and its installed dependencies. */
export interface Build {
  project: Project;
  configuration: GraphConfiguration;
}

const defaultConfigurationPath = "langgraph.json";

/** Placeholder for the commit of an uploaded source. */
const uploaded = "uploaded";

/**
 * Fetches the source and installs it into the revision's empty folder. Rejects with an `Error` that states the reason.
 */
export async function build(
  job: RolloutJob,
  report: RolloutReport,
  journal: RolloutJournal,
  signal: AbortSignal,
): Promise<Build> {
  const fetched = sourceOf(job);
  const places = placesOf(job);
  await Promise.all(
    [places.source, places.commit, places.built, places.schemas].map((place) =>
      rm(place, { recursive: true, force: true }),
    ),
  );
  const origin = await fetched(report, journal, signal);
  signal.throwIfAborted();
  const built = await installed(job, report, journal, signal);
  signal.throwIfAborted();
  await writeFile(places.built, origin);
  return built;
}

/**
 * Returns a function that fetches the source of a revision and resolves with the commit, or with a placeholder if there
 * is no commit.
 */
function sourceOf(
  job: RolloutJob,
): (report: RolloutReport, journal: RolloutJournal, signal: AbortSignal) => Promise<string> {
  const { uploadFolder, source } = job;
  const { repo_url: repoUrl } = job.sourceConfig;
  const { repo_ref: ref } = job.sourceRevisionConfig;
  const places = placesOf(job);
  if (uploadFolder !== undefined)
    return async (_report, journal, signal) => {
      journal.log("build", "INFO", "Copying the uploaded source.");
      await copyUpload(uploadFolder, places.source, signal);
      return uploaded;
    };
  if (!repoUrl) throw new Error(noSource(source));
  const repository = repositoryAddress(repoUrl);
  const wanted = job.resolvedCommit ?? (ref || "HEAD");
  return async (report, journal, signal) => {
    journal.log("build", "INFO", `Cloning ${repository.shown} at ${wanted}.`);
    const commit = await checkOut(repository, wanted, places.source, signal);
    await writeFile(places.commit, commit);
    report.resolvedCommit(commit);
    journal.log("build", "INFO", `Checked out commit ${commit}.`);
    return commit;
  };
}

function noSource(source: string): string {
  return source === "internal_source"
    ? "source_revision_config.source_tarball_path is missing; it specifies the uploaded source to build."
    : "source_config.repo_url is missing; it specifies the Git repository to build.";
}

/** Installs the dependencies of the source, and then builds the source. */
async function installed(
  job: RolloutJob,
  report: RolloutReport,
  journal: RolloutJournal,
  signal: AbortSignal,
): Promise<Build> {
  const { install_command: install, build_command: make } = job.sourceConfig;
  // Commands may create the files of the graphs. Without commands, errors in these files are found before the
  // installation.
  const early = install || make ? undefined : await readAndWarn(job, journal);
  const project = early?.project ?? (await readProject(job));
  const runtime = runtimeOf(project.language);
  signal.throwIfAborted();
  const run = async (field: ProjectCommand["field"], command: string, place: string): Promise<void> => {
    const shownFolder = relative(project.root, place) || "the root of the source";
    const { owner } = project;
    const environment = runtime.commandEnvironment(project);
    await runProjectCommand(
      { field, command, folder: place, shownFolder, owner, environment },
      journal,
      signal,
    );
  };
  if (install) {
    await runtime.prepare(project, journal, signal);
    await run("install_command", install, project.root);
  } else await runtime.install(project, journal, signal);
  report.runtime?.(await runtime.describe(project));
  if (make) await run("build_command", make, project.folder);
  return early ?? readAndWarn(job, journal);
}

async function readAndWarn(job: RolloutJob, journal: RolloutJournal): Promise<Build> {
  const read = await readSource(job);
  for (const warning of read.configuration.warnings) journal.log("build", "WARNING", warning);
  return read;
}

/** Returns the result of an earlier `build` of this revision, or `undefined` if it is missing or incomplete. */
export async function earlierBuild(job: RolloutJob): Promise<Build | undefined> {
  const places = placesOf(job);
  if (!existsSync(places.built) || !existsSync(places.source)) return undefined;
  const read = await readSource(job);
  return (await runtimeOf(read.project.language).restore(read.project)) ? read : undefined;
}

/** Returns the commit to which an earlier attempt at this revision resolved the ref. */
export async function earlierCommit(job: RolloutJob): Promise<string | undefined> {
  if (job.resolvedCommit !== undefined) return job.resolvedCommit;
  const { commit } = placesOf(job);
  return existsSync(commit) ? (await readFile(commit, "utf8")).trim() || undefined : undefined;
}

/** Returns the folder where the runtime keeps its state until it receives the deployment's data. */
export function stateFolder(job: RolloutJob): string {
  return placesOf(job).state;
}

/** Returns the file where the agent server stores the schemas of the graphs after the first request for them. */
export function schemasFile(job: RolloutJob): string {
  return placesOf(job).schemas;
}

/** Deletes the state of an earlier process of this revision. */
export async function clearState(job: RolloutJob): Promise<void> {
  await rm(stateFolder(job), { recursive: true, force: true });
}

async function readSource(job: RolloutJob): Promise<Build> {
  const { root, ...project } = await readProject(job);
  const configuration = await readGraphConfiguration(root, configurationPath(job));
  return { project: { root, ...project }, configuration };
}

async function readProject(job: RolloutJob): Promise<Project> {
  const root = await realpath(placesOf(job).source).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error("The source folder no longer exists. Check that no build command removes it.");
  });
  const { revisionFolder, dataFolder } = job;
  const language = await readLanguage(root, configurationPath(job));
  const hasBuildCommand = Boolean(job.sourceConfig.build_command);
  return { root, ...language, revisionFolder, hasBuildCommand, owner: treeOwner(dataFolder) };
}

function configurationPath(job: RolloutJob): string {
  return job.sourceRevisionConfig.graph_config_path || defaultConfigurationPath;
}

function placesOf(job: RolloutJob) {
  return {
    source: join(job.revisionFolder, "source"),
    state: join(job.revisionFolder, "state"),
    commit: join(job.revisionFolder, "commit"),
    built: join(job.revisionFolder, "built"),
    schemas: join(job.revisionFolder, "schemas.jsonl"),
  };
}

/** Number of output lines that the error of a command quotes. */
const quotedLines = 4;

/** A command in the deployment's settings. */
interface ProjectCommand {
  /** Name of the setting that contains the command. */
  field: "install_command" | "build_command";
  /** Command line, which is run by the shell. */
  command: string;
  folder: string;
  /** Path of the folder in the repository, for display. */
  shownFolder: string;
  /** Owner that identifies the command's processes after this process has exited. See `treeOwner`. */
  owner: string;
  /** Variables that override the variables of builds. */
  environment: Record<string, string>;
}

/** Runs a command from the deployment's settings. Its output is written to the build log. */
async function runProjectCommand(
  { field, command, folder, shownFolder, owner, environment }: ProjectCommand,
  journal: RolloutJournal,
  signal: AbortSignal,
): Promise<void> {
  journal.log("build", "INFO", `Running source_config.${field} in ${shownFolder}: ${command}`);
  const last: string[] = [];
  const code = await runSupervised({
    command: "sh",
    args: ["-c", command],
    folder,
    environment: { ...buildEnvironment(), ...environment },
    owner,
    signal,
    line(line) {
      if (line.trim() === "") return;
      journal.log("build", "INFO", line);
      if (last.push(line.trim()) > quotedLines) last.shift();
    },
  });
  if (code === 0) return;
  const unknown = code === notStarted && last.length === 0 ? "sh is not on PATH" : "it produced no output";
  throw new Error(
    `source_config.${field} exited with code ${code}: ${last.join("; ") || unknown}. See the build log.`,
  );
}

/** Copies an upload to the build folder, because the build changes files, and the upload may be built again. */
async function copyUpload(upload: string, folder: string, signal: AbortSignal): Promise<void> {
  if (!existsSync(upload))
    throw new Error(
      "The source that was uploaded for this revision no longer exists. Upload it again, and create a new revision.",
    );
  await cp(upload, folder, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    // This is the only place where the copy can be aborted.
    filter: () => {
      signal.throwIfAborted();
      return true;
    },
  });
}
