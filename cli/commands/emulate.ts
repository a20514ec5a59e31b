import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { type GivenKeys, givenKeys, type KeyFiles } from "../emulate/keys";
import { complain } from "../emulate/complain";
import { loadEmulator, privately } from "../emulate/emulator";

interface EmulateOptions extends KeyFiles {
  port?: number;
  state?: string;
  rollout: "real" | "simulated";
  dialect: "interface" | "langsmith";
  tenantId?: string;
  admin: boolean;
  allowedHost: string[];
  allowedOrigin: string[];
  apiKey?: string;
}

/** `agentserver emulate`: runs the local control plane until it is stopped. */
export function emulateCommand(): Command {
  return new Command("emulate")
    .description(
      "run a local control plane that needs no account and really runs the agents that are deployed to it",
    )
    .option("--port <number>", "port on 127.0.0.1; by default, a state folder keeps its previous port", port)
    .option(
      "--state <folder>",
      "folder for everything that outlives the process; without it, everything is in memory",
      absolutePath,
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
    .option(
      "--api-key-file <file>",
      "file that contains the API key, instead of AGENTSERVER_API_KEY; without either, a key is generated once",
      absolutePath,
    )
    .addOption(new Option("--api-key <key>").hideHelp())
    .addOption(
      new Option("--tenant-id <id>", "the one workspace; made once if missing").env("AGENTSERVER_TENANT_ID"),
    )
    .option("--admin", "serve the admin API under /admin: faults, steering, journal, reset", false)
    .option(
      "--admin-key-file <file>",
      "file that contains a separate key for the admin API, instead of AGENTSERVER_ADMIN_KEY; without either, the API key is used",
      absolutePath,
    )
    .option(
      "--allowed-host <name>",
      "also accept requests for this host name, such as a proxy's; may be repeated",
      (name: string, others: string[]) => [...others, name],
      [],
    )
    .option(
      "--allowed-origin <origin>",
      "let pages of this origin, such as a hosted studio, reach agents on this machine; may be repeated",
      (origin: string, others: string[]) => [...others, origin],
      [],
    )
    .action(async (options: EmulateOptions) => emulate(options));
}

async function emulate({ apiKey, allowedHost, allowedOrigin, ...options }: EmulateOptions): Promise<void> {
  if (apiKey !== undefined)
    throw new Error(
      "--api-key is not accepted, because everybody on this machine could read the key in the list of processes. " +
        "Set AGENTSERVER_API_KEY, or write the key to a file and give --api-key-file.",
    );
  const keys = privately(options.rollout === "real", (environment) => givenKeys(options, environment));
  const stop = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, resolve);
  });
  const { port, state, rollout, dialect, tenantId, admin } = options;
  const plane = await loadEmulator().startControlPlane({
    ...{ port, state, rollout, dialect, tenantId, admin },
    ...keys,
    allowedHosts: allowedHost,
    allowedOrigins: allowedOrigin,
    onFault: complain,
  });
  process.stdout.write(
    [
      `Local control plane at ${plane.baseUrl} (API reference: ${plane.baseUrl}/docs). Ctrl-C stops it.`,
      `  AGENTSERVER_BASE_URL=${plane.baseUrl}`,
      `  AGENTSERVER_TENANT_ID=${plane.tenantId}`,
      `  AGENTSERVER_API_KEY ${whereTheKeyIs(keys, state, plane.apiKey)}`,
      `Look inside: ${plane.signInLink()} (opens once, within ten minutes)`,
      "",
    ].join("\n"),
  );
  await stop;
  await plane.close();
}

/** A key that was given is not repeated; one that lives only in this process has to be shown to be of use. */
function whereTheKeyIs(given: GivenKeys, state: string | undefined, apiKey: string): string {
  if (given.apiKey !== undefined) return "as given";
  return state ? `in ${state}/credentials.json` : `is ${apiKey}`;
}

function absolutePath(text: string): string {
  if (text === "") throw new InvalidArgumentError("It is empty.");
  return resolve(text);
}

function port(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number < 65_536) return number;
  throw new InvalidArgumentError("It must be a whole number below 65536.");
}
