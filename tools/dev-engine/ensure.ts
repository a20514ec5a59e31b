import { copyFileSync, linkSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Progress } from "../progress";
import { buildEngine, type MakeOptions, goObstacle } from "./build";
import { builtName, engineCacheFolder, fillCache, findBuilt, isComplete, officialName } from "./cache";
import { addCompanions, companionsHash } from "./companions";
import { downloadEngine, type Installer, officialInstaller, downloadObstacle } from "./download";
import { engineOnPath } from "./path";
import { engineVersion, minGoVersion } from "./version";

/** Pulumi engine that is ready to run. */
export interface Engine {
  /** Path of the `pulumi` binary. */
  pulumi: string;
  /** Folder that contains the binary. It comes first on the PATH. */
  binFolder: string;
  version: string;
  /** Method by which the engine was found or created. */
  origin: "path" | "cache" | "built" | "downloaded";
}

/** Options of `ensureEngine`. All have defaults. */
export interface EnsureEngineOptions {
  /**
   * Environment. `AGENTSERVER_CACHE` is the cache folder. `AGENTSERVER_ENGINE` (`path`, `build`, or `download`) allows
   * only one origin of the engine. With `build` and `download`, an engine of that origin in the cache is also allowed.
   */
  env?: NodeJS.ProcessEnv;
  /** Signal that stops the search and any build. */
  signal?: AbortSignal;
  progress?: Progress;
  /** Installs an official engine into a folder; by default with the Automation API. */
  install?: Installer;
  /**
   * Returns the reason that the engine cannot be downloaded, if any. By default, sends a short request to the official
   * server.
   */
  downloadObstacle?: (signal?: AbortSignal) => Promise<string | undefined>;
}

const choices = ["path", "download", "build"] as const;
type Choice = (typeof choices)[number];

/**
 * Finds or creates an engine: the `pulumi` on the PATH if it is recent enough, a cached engine, the official download
 * or, if the download server is unreachable, a build from Go modules.
 */
export async function ensureEngine(options: EnsureEngineOptions = {}): Promise<Engine> {
  const { env = process.env, signal, progress = new Progress(), install = officialInstaller } = options;
  const findDownloadObstacle = options.downloadObstacle ?? downloadObstacle;
  const allowed = allowedChoices(env);
  const reasons: string[] = [];

  if (allowed.includes("path")) {
    const found = await engineOnPath(env, signal);
    if (found) return { ...found, binFolder: dirname(found.pulumi), origin: "path" };
    reasons.push(`no pulumi ${engineVersion} or later (3.x) with its Node language host is on the PATH`);
  }

  const cache = engineCacheFolder(env);
  const recipe = builtName();
  const sources = [
    {
      choice: "download" as const,
      origin: "downloaded" as const,
      label: "downloading the engine",
      name: officialName(),
      obstacle: () => findDownloadObstacle(signal),
      make: (folder: string, make: MakeOptions) => downloadEngine(folder, make, install),
    },
    {
      choice: "build" as const,
      origin: "built" as const,
      label: "building the engine",
      name: `${recipe}-${companionsHash()}`,
      obstacle: () => (findBuilt(cache, recipe) ? undefined : goObstacle(env, signal)),
      make: (folder: string, make: MakeOptions) => buildOrReuse(folder, findBuilt(cache, recipe), make),
    },
  ].filter((source) => allowed.includes(source.choice));

  const cached = sources.find((source) => isComplete(join(cache, source.name)));
  if (cached) return cachedEngine(cache, cached.name, "cache");

  for (const source of sources) {
    const obstacle = await source.obstacle();
    if (obstacle !== undefined) {
      reasons.push(obstacle);
      continue;
    }
    try {
      await progress.step(source.label, (report) =>
        fillCache(cache, source.name, (folder) => source.make(folder, { env, signal, report }), {
          signal,
          onWait: (owner) => report(`waiting for process ${owner}, which is already doing this`),
        }),
      );
      return cachedEngine(cache, source.name, source.origin);
    } catch (error) {
      if (signal?.aborted) throw error;
      reasons.push(`${source.label} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `No Pulumi engine: ${reasons.join("; ")}. Install Go ${shortVersion(minGoVersion)} or later, or Pulumi ${engineVersion}.`,
  );
}

function cachedEngine(cache: string, name: string, origin: Engine["origin"]): Engine {
  const binFolder = join(cache, name, "bin");
  return { pulumi: join(binFolder, "pulumi"), binFolder, version: engineVersion, origin };
}

async function buildOrReuse(folder: string, built: string | undefined, options: MakeOptions): Promise<void> {
  if (built === undefined) {
    await buildEngine(folder, options);
  } else {
    mkdirSync(join(folder, "bin"));
    linkOrCopy(built, join(folder, "bin", "pulumi"));
  }
  await addCompanions(join(folder, "bin"));
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

function allowedChoices(env: NodeJS.ProcessEnv): readonly Choice[] {
  const forced = env.AGENTSERVER_ENGINE;
  if (!forced) return choices;
  const choice = choices.find((known) => known === forced);
  if (!choice)
    throw new Error(`AGENTSERVER_ENGINE is "${forced}"; it must be ${choices.join(", ")} or empty.`);
  return [choice];
}

function shortVersion(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
