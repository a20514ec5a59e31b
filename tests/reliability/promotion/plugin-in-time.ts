import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeMonitor } from "../../sdk/components/fake-monitor";
import { type PluginProcess, startPlugin } from "../../sdk/components/plugin-process";
import { temporaryFolder } from "../../tools/temporary-folder";

const preload = `Date.now = () => Number(require("node:fs").readFileSync(process.env.TEST_TIME, "utf8"));`;

/** The provider plugin in its own process, with a fake engine. The test sets the time of the process. */
export class PluginInTime {
  private constructor(
    readonly monitor: FakeMonitor,
    private readonly plugin: PluginProcess,
    private readonly timeFile: string,
  ) {}

  static async start(): Promise<PluginInTime> {
    const monitor = await FakeMonitor.start();
    const folder = temporaryFolder({ "time.cjs": preload, time: "0" });
    const timeFile = join(folder, "time");
    const plugin = await startPlugin(monitor.address, {
      nodeArgs: ["--require", join(folder, "time.cjs")],
      env: { TEST_TIME: timeFile },
    });
    return new PluginInTime(monitor, plugin, timeFile);
  }

  get client(): PluginProcess["client"] {
    return this.plugin.client;
  }

  /** Sets the time of the process, in milliseconds since 1970. */
  setTime(now: number): void {
    writeFileSync(this.timeFile, String(now));
  }

  close(): void {
    this.plugin.close();
    this.monitor.close();
  }
}
