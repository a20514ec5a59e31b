import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "./clock";
import { backendId } from "./engine/backend";
import { engineLog } from "./engine/log";
import { endWithEngine } from "./engine/watch";
import { PluginHost } from "./hosts/plugin/host";
import { servePlugin } from "./hosts/plugin/server";
import { SessionPool } from "./session/session-pool";

const { argv, cwd, env } = process;
const root = join(__dirname, "..", "..");

/** Starts the provider plugin, and prints its port, which is all that the engine expects on standard output. */
async function main(): Promise<void> {
  endWithEngine(process);
  // Child processes, such as git, must not get the user's token.
  delete env["PULUMI_ACCESS_TOKEN"];
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const host = new PluginHost({
    env,
    sessions: new SessionPool({ env, clock: systemClock, random: Math.random }),
    log: engineLog(argv),
    workingFolder: cwd(),
    backend: backendId({ env, root: cwd() }),
    schema: () => readFileSync(join(root, "schemas", "agentserver.json"), "utf8"),
  });
  const { port } = await servePlugin(host, version);
  process.stdout.write(`${port}\n`);
}

void main();
