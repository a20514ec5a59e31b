import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { repositoryRoot } from "../../../tools/repository";
import { FakeMonitor } from "../../sdk/components/fake-monitor";
import { temporaryFolder } from "../../tools/temporary-folder";

const preload = `Date.now = () => Number(require("node:fs").readFileSync(process.env.TEST_TIME, "utf8"));`;

/** The provider plugin in its own process, whose time is set by the test, with a fake engine. */
export class PluginProcess {
  private constructor(
    readonly monitor: FakeMonitor,
    readonly client: ResourceProviderClient,
    private readonly child: ChildProcess,
    private readonly timeFile: string,
  ) {}

  static async start(): Promise<PluginProcess> {
    const monitor = await FakeMonitor.start();
    const folder = temporaryFolder({ "time.cjs": preload, time: "0" });
    const timeFile = join(folder, "time");
    const loader = pathToFileURL(require.resolve("tsx")).href;
    const entryPoint = join(repositoryRoot, "cli", "plugin.ts");
    const args = ["--require", join(folder, "time.cjs"), "--import", loader, entryPoint, monitor.address];
    const child = spawn(process.execPath, args, { env: { ...process.env, TEST_TIME: timeFile } });
    child.stderr.pipe(process.stderr);
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const address = `127.0.0.1:${String(port).trim()}`;
    const client = new ResourceProviderClient(address, credentials.createInsecure());
    return new PluginProcess(monitor, client, child, timeFile);
  }

  /** Sets the time of the process, in milliseconds since 1970. */
  setTime(now: number): void {
    writeFileSync(this.timeFile, String(now));
  }

  close(): void {
    this.client.close();
    this.child.kill();
    this.monitor.close();
  }
}
