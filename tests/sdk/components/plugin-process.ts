import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { repositoryRoot } from "../../../tools/repository";

/** Provider plugin in its own process. */
export interface PluginProcess {
  client: ResourceProviderClient;
  close(): void;
}

/**
 * Starts the provider plugin for an engine.
 * @param nodeArgs arguments for Node.js before the plugin
 */
export async function startPlugin(
  engine: string,
  { cwd, env, nodeArgs = [] }: { cwd?: string; env?: NodeJS.ProcessEnv; nodeArgs?: readonly string[] } = {},
): Promise<PluginProcess> {
  const loader = pathToFileURL(require.resolve("tsx")).href;
  const entryPoint = join(repositoryRoot, "cli", "plugin.ts");
  const args = [...nodeArgs, "--import", loader, entryPoint, engine];
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env } });
  child.stderr.resume();
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const address = `127.0.0.1:${String(port).trim()}`;
  const client = new ResourceProviderClient(address, credentials.createInsecure());
  const close = () => {
    client.close();
    child.kill();
  };
  return { client, close };
}
