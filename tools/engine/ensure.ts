import { copyFileSync, linkSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Progress } from "../progress";
import { buildEngine, type MakeOptions, whyNoGo } from "./build";
import { builtName, engineCacheFolder, fillCache, findBuilt, isComplete, officialName } from "./cache";
import { addCompanions, companionsHash } from "./companions";
import { downloadEngine, type Installer, officialInstaller, whyNoDownload } from "./download";
import { engineOnPath } from "./path";
import { engineVersion, oldestGo } from "./version";

/** A Pulumi engine that is ready to run. */
export interface Engine {
  /** The path of the binary. */
  pulumi: string;
  /** Its folder, which goes first on PATH. */
  binFolder: string;
  version: string;
  /** How it was found: on the user's PATH, in the cache, or put there just now. */
  origin: "path" | "cache" | "built" | "downloaded";
}

/** Options of `ensureEngine`; all have defaults. */
export interface EnsureEngineOptions {
  /**
   * `PATH` decides what is found. `AGENTSERVER_CACHE` moves the cache. `AGENTSERVER_ENGINE` = `path`, `build` or
   * `download` allows only that way to get an engine (the last two still use what that way has put into the cache).
   */
  env?: NodeJS.ProcessEnv;
  /** Stops the search, and the build with all its processes. */
  signal?: AbortSignal;
  progress?: Progress;
  /** Puts an official engine into a folder; the download of the Automation API by default. */
  install?: Installer;
  /** Why there is nothing to download from, if so; a short request to the official place by default. */
  whyNoDownload?: (signal?: AbortSignal) => Promise<string | undefined>;
}

const choices = ["path", "download", "build"] as const;
type Choice = (typeof choices)[number];

/**
 * Finds or makes an engine: the `pulumi` on PATH if it is recent enough, else one in the cache, else the official download,
 * else, where that cannot be reached, built from Go modules.
 */
export async function ensureEngine(options: EnsureEngineOptions = {}): Promise<Engine> {
  const { env = process.env, signal, progress = new Progress(), install = officialInstaller } = options;
  const reach = options.whyNoDownload ?? whyNoDownload;
  const allowed = allowedChoices(env);
  const reasons: string[] = [];

  if (allowed.includes("path")) {
    const found = await engineOnPath(env, signal);
    if (found) return { ...found, binFolder: dirname(found.pulumi), origin: "path" };
    reasons.push(`no pulumi ${engineVersion} or later (3.x) with its Node language host is on PATH`);
  }

  const cache = engineCacheFolder(env);
  const recipe = builtName();
  const ways = [
    {
      choice: "download" as const,
      origin: "downloaded" as const,
      label: "downloading the engine",
      name: officialName(),
      obstacle: () => reach(signal),
      make: (folder: string, make: MakeOptions) => downloadEngine(folder, make, install),
    },
    {
      choice: "build" as const,
      origin: "built" as const,
      label: "building the engine",
      name: `${recipe}-${companionsHash()}`,
      obstacle: () => (findBuilt(cache, recipe) ? undefined : whyNoGo(env, signal)),
      make: (folder: string, make: MakeOptions) => buildOrReuse(folder, findBuilt(cache, recipe), make),
    },
  ].filter((way) => allowed.includes(way.choice));

  const cached = ways.find((way) => isComplete(join(cache, way.name)));
  if (cached) return inCache(cache, cached.name, "cache");

  for (const way of ways) {
    const obstacle = await way.obstacle();
    if (obstacle !== undefined) {
      reasons.push(obstacle);
      continue;
    }
    try {
      await progress.step(way.label, (report) =>
        fillCache(cache, way.name, (folder) => way.make(folder, { env, signal, report }), {
          signal,
          onWait: (owner) => report(`waiting for process ${owner}, which is at it already`),
        }),
      );
      return inCache(cache, way.name, way.origin);
    } catch (error) {
      if (signal?.aborted) throw error;
      reasons.push(`${way.label} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `No Pulumi engine: ${reasons.join("; ")}. Install Go ${shortVersion(oldestGo)} or later, or Pulumi ${engineVersion}.`,
  );
}

function inCache(cache: string, name: string, origin: Engine["origin"]): Engine {
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
    throw new Error(`AGENTSERVER_ENGINE is "${forced}"; it can be ${choices.join(", ")} or empty.`);
  return [choice];
}

function shortVersion(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
