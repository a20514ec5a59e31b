import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFolder, shippedScript } from "../../../process/package-folder";
import type { Runtime } from "../runtime";
import { agentLogEntry } from "./agent-log";
import { installDependencies } from "./npm";
import { offerRuntimePackages } from "./runtime-packages";

/** Runtime of JavaScript and TypeScript graphs, with the Node and the packages of the control plane. */
export const javascriptRuntime: Runtime = {
  prepare: ({ revisionFolder }) => offerRuntimePackages(revisionFolder),
  async install({ root, folder, revisionFolder, owner }, journal, signal) {
    await offerRuntimePackages(revisionFolder);
    await installDependencies(root, folder, owner, journal, signal);
  },
  async restore({ revisionFolder }) {
    await offerRuntimePackages(revisionFolder);
    return true;
  },
  commandEnvironment: () => ({}),
  describe: () => Promise.resolve(`Node ${process.versions.node}`),
  agentCommand({ root, stateFolder, schemasFile, configuration: { graphs, options }, workers }) {
    const tsx = createRequire(join(packageFolder(), "package.json")).resolve("tsx");
    const launch = { root, stateFolder, schemasFile, graphs, options, workers };
    return {
      command: process.execPath,
      args: [
        "--import",
        pathToFileURL(tsx).href,
        shippedScript("agent-server/serve.mjs"),
        JSON.stringify(launch),
      ],
      environment: {},
    };
  },
  logEntry: agentLogEntry,
};
