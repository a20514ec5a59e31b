import { mkdirSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Engine } from "./ensure";

/** Options of `engineEnvironment`. */
export interface EngineEnvironmentOptions {
  engine: Pick<Engine, "binFolder">;
  /** Folder for the stacks and all other files of the engine. */
  stateFolder: string;
  /** Passphrase that encrypts the secrets of the stacks. */
  passphrase: string;
  /** Base environment; by default, that of this process. */
  env?: NodeJS.ProcessEnv;
}

/**
 * Returns an environment in which the engine changes nothing outside `stateFolder`: without the user's `PULUMI_*`
 * settings and logins, without checks for updates or plugins, and with our binaries and Node.js first on the PATH.
 * Creates the folders.
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
