import { Command, InvalidArgumentError, Option } from "commander";

/** The part of `agentserver-emulator` that this command uses; the package is installed only where it is wanted. */
interface Emulator {
  startControlPlane(
    options: EmulateOptions & { onFault(error: unknown): void },
  ): Promise<{ baseUrl: string; apiKey: string; tenantId: string; close(): Promise<void> }>;
}

interface EmulateOptions {
  port?: number;
  state?: string;
  rollout: "real" | "simulated";
  dialect: "interface" | "langsmith";
  apiKey?: string;
  tenantId?: string;
  admin: boolean;
}

/** `agentserver emulate`: runs the local control plane until it is stopped. */
export function emulateCommand(): Command {
  return new Command("emulate")
    .description(
      "run a local control plane that needs no account and really runs the agents that are deployed to it",
    )
    .option("--port <number>", "port on 127.0.0.1; a state folder keeps the one it had", port)
    .option(
      "--state <folder>",
      "folder for everything that outlives the process; without it all is in memory",
    )
    .addOption(
      new Option("--rollout <kind>", "real: builds and runs agents; simulated: statuses only")
        .choices(["real", "simulated"])
        .default("real"),
    )
    .addOption(
      new Option("--dialect <name>", "interface: the interface document; langsmith: the public service")
        .choices(["interface", "langsmith"])
        .default("interface"),
    )
    .addOption(
      new Option("--api-key <key>", "the one API key; made once if missing").env("AGENTSERVER_API_KEY"),
    )
    .addOption(
      new Option("--tenant-id <id>", "the one workspace; made once if missing").env("AGENTSERVER_TENANT_ID"),
    )
    .option("--admin", "serve the admin API under /admin: faults, steering, journal, reset", false)
    .action(async (options: EmulateOptions) => emulate(options));
}

async function emulate(options: EmulateOptions): Promise<void> {
  const stop = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, resolve);
  });
  const plane = await loadEmulator().startControlPlane({
    ...options,
    onFault: (error) => process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`),
  });
  process.stdout.write(
    [
      `Local control plane at ${plane.baseUrl} (API reference: ${plane.baseUrl}/docs). Ctrl-C stops it.`,
      `  AGENTSERVER_BASE_URL=${plane.baseUrl}`,
      `  AGENTSERVER_TENANT_ID=${plane.tenantId}`,
      `  AGENTSERVER_API_KEY ${whereTheKeyIs(options, plane.apiKey)}`,
      "",
    ].join("\n"),
  );
  await stop;
  await plane.close();
}

/** A key that was given is not repeated; one that lives only in this process has to be shown to be of use. */
function whereTheKeyIs(options: EmulateOptions, apiKey: string): string {
  if (options.apiKey) return "as given";
  return options.state ? `in ${options.state}/credentials.json` : `is ${apiKey}`;
}

function loadEmulator(): Emulator {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 24)
    throw new Error(`The local control plane needs Node 24 or later; this is ${process.version}.`);
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- It may not be installed; its types are not our own dependency.
    return require("agentserver-emulator") as Emulator;
  } catch (error) {
    if ((error as { code?: string }).code !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      "The local control plane is a package of its own; install it with `npm install agentserver-emulator`.",
    );
  }
}

function port(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number < 65_536) return number;
  throw new InvalidArgumentError("It must be a whole number below 65536.");
}
