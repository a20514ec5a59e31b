import { mkdirSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Engine } from "./ensure";

/** What sets one use of the engine apart from all others. */
export interface EngineEnvironmentOptions {
  engine: Pick<Engine, "binFolder">;
  /** Holds the stacks and everything else the engine writes. */
  stateFolder: string;
  /** Encrypts the stacks' secrets. */
  passphrase: string;
  /** The environment to start from; the process's own by default. */
  env?: NodeJS.ProcessEnv;
}

/**
 * The environment for an engine that touches nothing outside `stateFolder`: none of the user's own `PULUMI_*` settings
 * and logins, no look-ups for updates or plugins, our binaries and this very Node first on PATH. Creates the folders.
 */
export function engineEnvironment(options: EngineEnvironmentOptions): Record<string, string> {
  const { engine, passphrase, env = process.env } = options;
  const stateFolder = resolve(options.stateFolder);
  const [stacks, home] = [join(stateFolder, "stacks"), join(stateFolder, "home")];
  for (const folder of [stacks, home]) mkdirSync(folder, { recursive: true });

  const inherited = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("PULUMI_"),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: [engine.binFolder, dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter),
    PULUMI_BACKEND_URL: `file://${stacks}`,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_HOME: home,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}
