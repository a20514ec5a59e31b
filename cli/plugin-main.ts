import { existsSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { systemClock } from "../provider/clock";
import { backendId } from "../provider/engine/backend";
import { engineAddress, engineLog } from "../provider/engine/log";
import { endWithInput } from "../provider/engine/watch";
import { PluginHost } from "../provider/hosts/plugin/host";
import { servePlugin } from "../provider/hosts/plugin/server";
import { type KindName, kinds } from "../provider/kinds";
import type * as Construct from "../sdk/components/construct";
import type { PlacedKind } from "../provider/resource/kind";
import { type TypeName, typeNameOf } from "../provider/resource/ownership/type-token";
import { SessionPool } from "../provider/session/session-pool";

const { argv, env } = process;
const workingFolder = projectFolder(process.cwd());

/* eslint-disable @typescript-eslint/no-require-imports -- The compiler would copy imported files into `dist`. */
const { version } = require("pulumi-agentserver/package.json") as { version: string };
const packageSchema = () =>
  require("pulumi-agentserver/schemas/agentserver.json") as { pluginDownloadURL: string };
/* eslint-enable @typescript-eslint/no-require-imports */

/** Names of the kinds that implement the resources, by resource type. */
const kindNames: Readonly<Record<TypeName, KindName>> = {
  Assistant: "assistant",
  Cron: "cron",
  Deployment: "provider",
  Listener: "listener",
  Run: "run",
  StoreItem: "storeItem",
  StoreItems: "storeItems",
  Thread: "thread",
};

function kindOf(type: string): PlacedKind | undefined {
  const name = typeNameOf(type);
  return name && kinds[kindNames[name]](env);
}

/**
 * Returns the folder that contains the program's project. The program may be in a subfolder (`main`), and the engine
 * starts plugins in the folder of the program.
 */
function projectFolder(programFolder: string): string {
  const folders = [programFolder];
  while (dirname(folders.at(-1)!) !== folders.at(-1)) folders.push(dirname(folders.at(-1)!));
  const isProject = (folder: string) =>
    ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].some((file) => existsSync(join(folder, file)));
  return folders.find(isProject) ?? programFolder;
}

/** Starts the provider plugin, and prints its port to standard output, where the engine expects nothing else. */
async function main(): Promise<void> {
  endWithInput(process);
  process.chdir(workingFolder);
  // Child processes, such as git, must not get the user's token.
  delete env["PULUMI_ACCESS_TOKEN"];
  const host = new PluginHost({
    kindOf,
    sessions: new SessionPool({ env, clock: systemClock, random: Math.random }),
    log: engineLog(argv),
    workingFolder,
    backend: backendId({ env, root: workingFolder }),
    schema: () => JSON.stringify(packageSchema()),
    construct: (request, signal) => {
      // This module is loaded with the first component, because it loads Pulumi's SDK and the SDK of this package.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
      const { construct } = require("../sdk/components/construct") as typeof Construct;
      return construct(request, {
        engine: engineAddress(argv) ?? "",
        options: { version, pluginDownloadURL: packageSchema().pluginDownloadURL },
        signal,
      });
    },
  });
  const { port } = await servePlugin(host, version);
  process.stdout.write(`${port}\n`);
  // The cache is written now, because the engine may kill the process later.
  flushCompileCache();
}

void main();
