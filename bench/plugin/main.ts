import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { gzipSync } from "node:zlib";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { type ControlPlane, startControlPlane } from "../../emulator/index";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { ensureEngine } from "../../tools/dev-engine/ensure";
import { ensureExecutable } from "../../tools/executables/ensure-executable";
import { storeResults, type Bound, type Table } from "../../tools/performance/results";
import { declareReal } from "../fleet/baseline";
import { installPackage } from "../fleet/package";
import { spec, writeProject } from "../fleet/programs";
import { type Figures, stopwatchOf } from "../fleet/stopwatch";
import { median } from "../median";
import { writeEmptyPlugin } from "./empty-plugin";

/** Providers that manage the same deployments. */
const sides = ["plugin", "empty", "dynamic"] as const;
type Side = (typeof sides)[number];

/** Orders in which the sides are measured. Previous commands affect the next one, so every order is used equally often. */
const orders = sides.flatMap((first) =>
  sides
    .filter((side) => side !== first)
    .map((second) => [first, second, ...sides.filter((side) => side !== first && side !== second)]),
);

/** Numbers of deployments, and how often the preview is measured in every order. */
const usual: Readonly<Record<number, number>> = { 1: 3, 100: 2, 300: 1, 1000: 1 };

void main(process.argv.slice(2).map(Number)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

/** Measures previews that find no changes, for stacks with these numbers of deployments. */
async function main(sizes: number[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agentserver-plugin-"));
  const rows: string[][] = [];
  const bounds: Bound[] = [];
  try {
    await ensureBuilt();
    await installPackage(folder);
    linkPlugin(folder);
    const empty = writeEmptyPlugin(folder);
    for (const size of sizes.length > 0 ? sizes : Object.keys(usual).map(Number)) {
      const figures = await previews(folder, size, usual[size] ?? 1, empty);
      for (const figure of ["seconds", "cpuSeconds"] as const) {
        const of = (side: Side) => median(figures[side].map((one) => one[figure]));
        const what = figure === "seconds" ? "time" : "CPU time";
        const [toEmpty, toDynamic] = [of("plugin") / of("empty"), of("plugin") / of("dynamic")];
        rows.push([
          String(size),
          what,
          ...sides.map((side) => of(side).toFixed(2)),
          ...[toEmpty, toDynamic].map((ratio) => ratio.toFixed(2)),
        ]);
        const name = `${size} ${size === 1 ? "deployment" : "deployments"}, ${what}`;
        bounds.push({ what: `${name}: ratio to the empty plugin`, measured: round(toEmpty), most: 1.1 });
        // With a few deployments, the startup of the engine and of the program dominates.
        if (figure === "cpuSeconds" && size >= 100)
          bounds.push({
            what: `${name}: ratio to the dynamic provider`,
            measured: round(toDynamic),
            most: 0.8,
          });
      }
    }
    process.exitCode = storeResults("plugin", {
      tables: [
        {
          title: "Previews without changes, medians in seconds",
          columns: [
            "deployments",
            "",
            "plugin",
            "empty plugin",
            "dynamic provider",
            "ratio to empty plugin",
            "ratio to dynamic provider",
          ],
          rows,
        },
        await executableTable(folder),
      ],
      bounds,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Measures previews of one stack with both plugins, alternating with previews of an identical stack with the dynamic
 * provider.
 */
async function previews(
  folder: string,
  size: number,
  rounds: number,
  emptyPlugin: string,
): Promise<Record<Side, Figures[]>> {
  const engine = await ensureEngine();
  const planes: ControlPlane[] = [];
  const figures: Record<Side, Figures[]> = { plugin: [], empty: [], dynamic: [] };
  const stackOf = async (name: "plugin" | "dynamic") => {
    const project = join(folder, `${name}-${size}`);
    const plane = await startControlPlane();
    planes.push(plane);
    plane.admin.steer({ pace: "at once" });
    return { project, watch: stopwatchOf(project, engine, plane) };
  };
  try {
    const [viaPlugin, viaDynamic] = [await stackOf("plugin"), await stackOf("dynamic")];
    const stacks = {
      plugin: {
        ...viaPlugin,
        declare: () => declareInPlugin(viaPlugin.project, size, join(folder, "plugin")),
      },
      empty: { ...viaPlugin, declare: () => declareInPlugin(viaPlugin.project, size, emptyPlugin) },
      dynamic: { ...viaDynamic, declare: () => declareReal(viaDynamic.project, size, "v1") },
    };
    for (const side of ["plugin", "dynamic"] as const) {
      const { declare, watch } = stacks[side];
      declare();
      await watch.run("stack", "init", "fleet");
      await watch.run("up", "--yes", "--skip-preview", "--parallel=100");
    }
    for (let round = 0; round < rounds; round += 1)
      for (const side of orders.flat()) {
        const { declare, watch } = stacks[side];
        declare();
        figures[side].push(await watch.run("preview", "--expect-no-changes", "--parallel=100"));
      }
    return figures;
  } finally {
    for (const plane of planes) await plane.close();
  }
}

/** Makes the command of the installed package available as a provider plugin, in the `plugin` folder. */
function linkPlugin(folder: string): void {
  const command = join(folder, "package", "dist", "cli", "plugin.js");
  chmodSync(command, 0o755);
  mkdirSync(join(folder, "plugin"));
  symlinkSync(command, join(folder, "plugin", "pulumi-resource-agentserver"));
}

/** Writes a project with this number of deployments. It uses the provider plugin in `pluginFolder`. */
function declareInPlugin(project: string, size: number, pluginFolder: string): void {
  writeProject(
    project,
    `const pulumi = require("@pulumi/pulumi");
for (let index = 0; index < ${size}; index += 1)
  new pulumi.CustomResource("agentserver:index:Deployment", "agent-" + index, { name: "agent-" + index, ...${JSON.stringify(spec("v1"))} });
`,
  );
  writeFileSync(
    join(project, "Pulumi.yaml"),
    `name: fleet
runtime: { name: nodejs, options: { typescript: false } }
plugins: { providers: [{ name: agentserver, path: ${pluginFolder} }] }
`,
  );
}

/** Measures the size and the startup time of the executable and of the npm package's command. */
async function executableTable(folder: string): Promise<Table> {
  const executable = await ensureExecutable();
  const command = join(folder, "plugin", "pulumi-resource-agentserver");
  const starts = { executable: [] as number[], command: [] as number[] };
  for (let round = 0; round < 9; round += 1) {
    starts.executable.push(await startOf(executable));
    starts.command.push(await startOf(command));
  }
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  return {
    title: "The executable for this machine, compared with the command of the npm package",
    columns: ["", "executable", "command"],
    rows: [
      ["startup time, s", median(starts.executable).toFixed(2), median(starts.command).toFixed(2)],
      ["size, MiB", mebibytes(statSync(executable).size), ""],
      ["size compressed, MiB", mebibytes(gzipSync(readFileSync(executable)).length), ""],
    ],
  };
}

/** Returns the number of seconds until a plugin prints its port. */
async function startOf(plugin: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(plugin, { stdio: ["pipe", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const seconds = (performance.now() - startedAt) / 1_000;
  child.stdin.end();
  await new Promise((resolve) => child.once("close", resolve));
  return seconds;
}

function round(ratio: number): number {
  return Math.round(ratio * 100) / 100;
}
