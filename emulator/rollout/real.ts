import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "../clock";
import { fullDiskHint } from "../storage/free-space";
import { storageFaultOf } from "../storage/storage-fault";
import {
  RolloutFailure,
  type RolloutJob,
  type RolloutReport,
  type RolloutRunner,
  type RunningAgent,
} from "./rollout";
import { build, clearState, earlierBuild, earlierCommit } from "./build/build";
import { deadline, spellDuration } from "./build/deadline";
import { deploy, type DeployOptions } from "./build/deploy";
import { type RolloutJournal, rolloutJournal } from "./build/journal";
import { credentialsOfNpm } from "../process/npmrc";
import { repositoryAddress } from "./source/repository-address";
import { earlierImage, pullImage, startContainer } from "./runtimes/container";
import { settingsIn } from "./runtimes/python/index-credentials";

export interface RealRunnerOptions {
  /** Clock for all timeouts. Defaults to the system clock. */
  clock?: Clock;
  /** Total timeout for the clone, the installation, and the build. Defaults to 10 minutes. */
  buildTimeoutMs?: number;
  /** Maximum time for a started agent server to respond. Defaults to 60 seconds. */
  healthTimeoutMs?: number;
  /** Grace period for an agent server to exit after a request to stop, before it is killed. Defaults to 5 seconds. */
  stopGraceMs?: number;
}

/** Strategy for building and running a revision; `Built` is the result of the build. */
interface SourceStrategy<Built> {
  build(job: RolloutJob, report: RolloutReport, journal: RolloutJournal, signal: AbortSignal): Promise<Built>;
  /** Returns the result of the build of an earlier process, if it still exists. */
  earlier(job: RolloutJob, signal: AbortSignal): Promise<Built | undefined>;
  deploy(
    built: Built,
    job: RolloutJob,
    journal: RolloutJournal,
    options: DeployOptions,
    signal: AbortSignal,
  ): Promise<RunningAgent>;
}

const fromSource: SourceStrategy<Awaited<ReturnType<typeof build>>> = {
  build,
  earlier: earlierBuild,
  async deploy(built, job, ...rest) {
    await clearState(job);
    return deploy(built, job, ...rest);
  },
};

const fromImage: SourceStrategy<Awaited<ReturnType<typeof pullImage>>> = {
  build: pullImage,
  earlier: earlierImage,
  deploy: startContainer,
};

/**
 * Returns the strategy for a job: from the image if the job specifies an image and no source, otherwise from the
 * source.
 */
function wayOf({ sourceConfig, sourceRevisionConfig, uploadFolder }: RolloutJob): SourceStrategy<unknown> {
  const isImage = sourceRevisionConfig.image_uri && !sourceConfig.repo_url && uploadFolder === undefined;
  return isImage ? fromImage : fromSource;
}

/**
 * Rolls out revisions with real agents: clones the repository or copies the upload, installs its packages, builds it,
 * and starts an agent server; or pulls an image and runs it.
 *
 * @example const agent = await createRealRunner().roll(job, report, signal); await fetch(`${agent.origin}/ok`, {
 * headers: { "x-internal-api-token": agent.internalApi.token } }); await agent.stop();
 */
export function createRealRunner(options: RealRunnerOptions = {}): RolloutRunner {
  const settings = {
    clock: systemClock,
    buildTimeoutMs: 600_000,
    healthTimeoutMs: 60_000,
    stopGraceMs: 5000,
    ...options,
  };

  async function buildAll(
    job: RolloutJob,
    report: RolloutReport,
    journal: RolloutJournal,
    signal: AbortSignal,
  ) {
    const limit = deadline(settings.clock, settings.buildTimeoutMs, signal);
    try {
      return await wayOf(job).build(job, report, journal, limit.signal);
    } catch (error) {
      await interruptionReported(error, signal);
      signal.throwIfAborted();
      const why = limit.expired()
        ? `The build did not finish within ${spellDuration(settings.buildTimeoutMs)}.`
        : await reasonOf(error, job);
      throw journal.failure("BUILD_FAILED", why);
    } finally {
      limit.cancel();
    }
  }

  async function deployAll(built: unknown, job: RolloutJob, journal: RolloutJournal, signal: AbortSignal) {
    try {
      return await wayOf(job).deploy(built, job, journal, settings, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw journal.failure("DEPLOY_FAILED", await reasonOf(error, job));
    }
  }

  return {
    async roll(job, report, signal): Promise<RunningAgent> {
      const journal = rolloutJournal(job, report, credentialsOf(job));
      report.status("BUILDING");
      const built = await buildAll(job, report, journal, signal);
      report.status("AWAITING_DEPLOY");
      report.status("DEPLOYING");
      return deployAll(built, job, journal, signal);
    },

    async restart(job, report, signal): Promise<RunningAgent> {
      const journal = rolloutJournal(job, report, credentialsOf(job));
      const built =
        (await wayOf(job)
          .earlier(job, signal)
          .catch(() => undefined)) ?? (await rebuild(job, report, journal, signal, buildAll));
      return deployAll(built, job, journal, signal);
    },
  };
}

async function rebuild(
  job: RolloutJob,
  report: RolloutReport,
  journal: RolloutJournal,
  signal: AbortSignal,
  buildAll: (
    job: RolloutJob,
    report: RolloutReport,
    journal: RolloutJournal,
    signal: AbortSignal,
  ) => Promise<unknown>,
): Promise<unknown> {
  const resolvedCommit = await earlierCommit(job);
  journal.log("build", "WARNING", "The build of this revision is missing or incomplete; rebuilding it.");
  return buildAll(
    { ...job, ...(resolvedCommit === undefined ? {} : { resolvedCommit }) },
    report,
    journal,
    signal,
  );
}

/**
 * Waits a second for the control plane to abort the rollout, because Ctrl-C in the terminal also interrupts git,
 * possibly before the control plane.
 */
async function interruptionReported(error: unknown, signal: AbortSignal): Promise<void> {
  if (!(error instanceof RolloutFailure) && /was terminated by SIG/.test(String(error)) && !signal.aborted) {
    await sleep(1000, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns the reason for a failure and, if the disk caused it, how to fix it. */
async function reasonOf(error: unknown, { revisionFolder }: RolloutJob): Promise<string> {
  const fault = storageFaultOf(error, revisionFolder);
  return fault?.message ?? `${(error as Error).message}${await fullDiskHint(revisionFolder)}`;
}

/** Returns the credentials to redact from logs, in addition to the deployment's own secrets. */
function credentialsOf(job: RolloutJob): string[] {
  return [
    ...credentialsOfRepository(job.sourceConfig.repo_url ?? ""),
    ...credentialsOfNpm(process.env),
    ...settingsIn(process.env),
  ];
}

function credentialsOfRepository(address: string): string[] {
  try {
    return repositoryAddress(address).credentials;
  } catch {
    return [];
  }
}
