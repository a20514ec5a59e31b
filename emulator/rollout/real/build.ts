import { existsSync } from "node:fs";
import { readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scopeOwner } from "../../process/scope";
import type { RolloutJob, RolloutReport } from "../rollout";
import { checkOut } from "./checkout";
import { installDependencies } from "./dependencies";
import { type GraphConfiguration, readGraphConfiguration } from "./graph-configuration";
import type { RolloutJournal } from "./journal";
import { repositoryAddress } from "./repository-address";
import { offerRuntimePackages } from "./runtime-packages";

/** A checkout whose dependencies are installed. */
export interface Build {
  commit: string;
  /** Root of the checkout. */
  root: string;
  configuration: GraphConfiguration;
}

const defaultConfigurationPath = "langgraph.json";

/** Clones and installs into the revision's folder, from nothing. Rejects with an `Error` that names the reason. */
export async function build(
  job: RolloutJob,
  report: RolloutReport,
  journal: RolloutJournal,
  signal: AbortSignal,
): Promise<Build> {
  const { repo_url: repoUrl } = job.sourceConfig;
  const { repo_ref: ref, image_uri: image } = job.sourceRevisionConfig;
  if (!repoUrl) {
    throw new Error(
      image
        ? `The local control plane builds from git repositories and cannot run the image ${image}; set source_config.repo_url.`
        : "source_config.repo_url is missing; it names the git repository to build.",
    );
  }
  const repository = repositoryAddress(repoUrl);
  const places = placesOf(job);
  await Promise.all(
    [places.source, places.commit, places.built, places.schemas].map((place) =>
      rm(place, { recursive: true, force: true }),
    ),
  );
  const wanted = job.resolvedCommit ?? (ref || "HEAD");
  journal.log("build", "INFO", `Cloning ${repository.shown} at ${wanted}.`);
  const commit = await checkOut(repository, wanted, places.source, signal);
  await writeFile(places.commit, commit);
  report.resolvedCommit(commit);
  journal.log("build", "INFO", `Checked out commit ${commit}.`);
  const checkout = await readCheckout(job, commit);
  for (const warning of checkout.configuration.warnings) journal.log("build", "WARNING", warning);
  signal.throwIfAborted();
  await offerRuntimePackages(job.revisionFolder);
  const owner = scopeOwner(job.dataFolder);
  await installDependencies(checkout.root, checkout.configuration.folder, owner, journal, signal);
  signal.throwIfAborted();
  await writeFile(places.built, commit);
  return checkout;
}

/** What an earlier `build` of this revision left, or undefined if that is missing or was not finished. */
export async function earlierBuild(job: RolloutJob): Promise<Build | undefined> {
  const places = placesOf(job);
  if (!existsSync(places.built) || !existsSync(places.source)) return undefined;
  await offerRuntimePackages(job.revisionFolder);
  return readCheckout(job, (await readFile(places.built, "utf8")).trim());
}

/** The commit that an earlier attempt at this revision resolved its ref to. */
export async function earlierCommit(job: RolloutJob): Promise<string | undefined> {
  if (job.resolvedCommit !== undefined) return job.resolvedCommit;
  const { commit } = placesOf(job);
  return existsSync(commit) ? (await readFile(commit, "utf8")).trim() || undefined : undefined;
}

/** Where the runtime keeps its state until it is given the deployment's data. */
export function stateFolder(job: RolloutJob): string {
  return placesOf(job).state;
}

/** Where the agent server keeps the schemas of the graphs once somebody has asked for them. */
export function schemasFile(job: RolloutJob): string {
  return placesOf(job).schemas;
}

/** Forgets what an earlier process of this revision left there. */
export async function clearState(job: RolloutJob): Promise<void> {
  await rm(stateFolder(job), { recursive: true, force: true });
}

async function readCheckout(job: RolloutJob, commit: string): Promise<Build> {
  const root = await realpath(placesOf(job).source);
  const path = job.sourceRevisionConfig.graph_config_path || defaultConfigurationPath;
  return { commit, root, configuration: await readGraphConfiguration(root, path) };
}

function placesOf(job: RolloutJob) {
  return {
    source: join(job.revisionFolder, "source"),
    state: join(job.revisionFolder, "state"),
    commit: join(job.revisionFolder, "commit"),
    built: join(job.revisionFolder, "built"),
    schemas: join(job.revisionFolder, "schemas.json"),
  };
}
