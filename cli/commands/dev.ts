import { Command } from "commander";
import { runCommand } from "../command-process";
import { developFolder, type DevOptions } from "../dev/develop-folder";
import { connectionLines, consoleLine } from "../emulate/connection-lines";
import { loadEmulator, readKeys } from "../emulate/emulator";
import { configuredKeys } from "../emulate/keys";
import { packagesNote } from "../emulate/packages-note";
import { reportError } from "../emulate/report-error";
import { withHelp } from "../help";
import { desktopBrowser, desktopVariables } from "../open/browser";
import { absolutePath, port } from "./option-values";

/** Maximum time to stop the agents after Ctrl-C, in milliseconds. */
const shutdownMs = 15_000;

/** Creates the `dev` command, which deploys a folder to a local control plane after each change. */
export function devCommand(): Command {
  const command = new Command("dev")
    .description("run the graphs in a folder on a local control plane, and roll out each change")
    .argument("[folder]", "folder with the graph configuration, or a parent folder", ".")
    .option(
      "--port <number>",
      "port on 127.0.0.1; by default, the state folder's previous port, or a free port",
      port,
    )
    .option(
      "--state <folder>",
      "folder for persistent data; without it, all data is removed at the end",
      absolutePath,
    )
    .option("--name <name>", "name of the deployment; by default, the name of the folder")
    .option("--open", "open the web console in the browser");
  return withHelp(command, {
    examples: ["agentserver dev", "agentserver dev agent --state .agentserver --open"],
    notes: `The folder is deployed like a folder source: files that Git or Docker ignores are not deployed. The variables in the env
file of the graph configuration become secrets of the deployment. The current revision keeps
serving requests until a new one responds.

${packagesNote}`,
    exitCodes: "0 Ctrl-C; 1 an error.",
  }).action((folder: string, options: DevOptions) => develop(folder, options));
}

function develop(folder: string, options: DevOptions): Promise<void> {
  const { desktop, ...keys } = readKeys(true, (environment) => ({
    ...configuredKeys({}, environment),
    desktop: desktopVariables(environment),
  }));
  return runCommand(
    (context) =>
      developFolder(context, folder, options, {
        startPlane: ({ port, state }) =>
          loadEmulator().startControlPlane({
            ...{ port, state, rollout: "real", dialect: "langsmith", admin: false },
            ...(keys.apiKey !== undefined && { apiKey: keys.apiKey }),
            ...{ allowedHosts: [], allowedOrigins: [], onFault: reportError },
          }),
        connectionLines: (plane) => {
          const connection = {
            ...{ baseUrl: plane.baseUrl, tenantId: plane.tenantId, apiKey: plane.apiKey },
            ...{ isConfigured: keys.apiKey !== undefined, state: options.state },
            isTerminal: context.stdout.isTTY,
          };
          return [
            ...connectionLines(connection).map((line) => `  ${line}`),
            consoleLine(connection, () => plane.signInLink()),
          ];
        },
        browser: desktopBrowser({ ...context.env, ...desktop }),
      }),
    shutdownMs,
  );
}
