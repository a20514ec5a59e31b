/** The part of `agentserver-emulator` that the command uses; the package is installed only where it is wanted. */
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
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- It may not be installed; its types are not our own dependency.
  return loaded(() => require("agentserver-emulator") as Emulator);
}

/**
 * Reads keys, and takes them and everything else that is no agent's business out of the environment that agents could
 * read.
 *
 * @param agents - Whether agents will run.
 */
export function privately<Keys extends object>(
  agents: boolean,
  keysOf: (environment: NodeJS.ProcessEnv) => Keys,
): Keys {
  if (!agents) return keysOf(process.env);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- As above.
  const emulator = loaded(() => require("agentserver-emulator/private-environment") as PrivateEnvironment);
  return emulator.withPrivateEnvironment(keysOf);
}

function loaded<Part>(load: () => Part): Part {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 24)
    throw new Error(`The local control plane needs Node 24 or later; this is ${process.version}.`);
  try {
    return load();
  } catch (error) {
    if ((error as { code?: string }).code !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      "The local control plane is a package of its own; install it with `npm install agentserver-emulator`.",
    );
  }
}
