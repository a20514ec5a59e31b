import { oldestNodeOfEmulator } from "../node-versions";

/** Part of `agentserver-emulator` that the command uses. The package is installed separately. */
export interface Emulator {
  startControlPlane(options: {
    port?: number | undefined;
    state?: string | undefined;
    rollout: "real" | "simulated";
    dialect: "interface" | "langsmith";
    apiKey?: string;
    tenantId?: string | undefined;
    admin: boolean;
    adminKey?: string;
    allowedHosts: readonly string[];
    allowedOrigins: readonly string[];
    onFault(error: unknown): void;
  }): Promise<{
    baseUrl: string;
    apiKey: string;
    tenantId: string;
    signInLink(): string;
    close(): Promise<void>;
  }>;
}

interface PrivateEnvironment {
  withPrivateEnvironment<Secrets extends object>(
    secretsOf: (environment: NodeJS.ProcessEnv) => Secrets,
  ): Secrets;
}

export function loadEmulator(): Emulator {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- The package is optional, so its types cannot be a dependency.
  return loadPackage(() => require("agentserver-emulator") as Emulator);
}

/**
 * Reads the keys. If agents will run, then removes the keys and all other variables that agents do not need from the
 * environment, because agents can read it.
 *
 * @param runsAgents true if agents will run
 */
export function readKeys<Keys extends object>(
  runsAgents: boolean,
  keysOf: (environment: NodeJS.ProcessEnv) => Keys,
): Keys {
  if (!runsAgents) return keysOf(process.env);
  const emulator = loadPackage(
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- As above.
    () => require("agentserver-emulator/private-environment") as PrivateEnvironment,
  );
  return emulator.withPrivateEnvironment(keysOf);
}

function loadPackage<Part>(load: () => Part): Part {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < oldestNodeOfEmulator)
    throw new Error(
      `The local control plane needs Node ${oldestNodeOfEmulator} or later; this is ${process.version}.`,
    );
  try {
    return load();
  } catch (error) {
    if ((error as { code?: string }).code !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      "The local control plane is a separate package. Install it with `npm install agentserver-emulator`.",
    );
  }
}
