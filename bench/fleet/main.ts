import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "../../emulator/index";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { ensureEngine } from "../../tools/dev-engine/ensure";
import { storeResults, type Bound, type Plot } from "../../tools/performance/results";
import { median } from "../median";
import { installPackage } from "./package";
import { programs, type Shape } from "./programs";
import { ratios } from "./ratio";
import { withSettings } from "./settings";
import { type Figures, stopwatchOf } from "./stopwatch";

/** Stack to measure. */
interface Fleet {
  shape: Shape | "ratio" | "settings";
  deployments: number;
  /** Number of resources that the engine processes concurrently. */
  parallel: number;
}

/**
 * Default stacks, in the format `shape:deployments:parallel`. A stack with a thousand deployments takes half an hour.
 */
const usual = [
  "ratio:1:8",
  "ratio:100:100",
  "program:10:8",
  "program:100:8",
  "program:100:100",
  "settings:300:100",
];

/** Returns the number of rounds of a comparison. It is higher for smaller stacks, whose commands are short. */
const roundsOf = (deployments: number) => (deployments < 10 ? 9 : deployments < 200 ? 3 : 1);

const commandColumns = ["deployments:parallel", "command", "seconds", "MiB", "reads", "writes"];

void main(process.argv.length > 2 ? process.argv.slice(2) : usual).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

/** Measures the cost of stacks, each specified as `shape:deployments:parallel`. */
async function main(specs: string[]): Promise<void> {
  const fleets = specs.map((spec): Fleet => {
    const [, shape, deployments, parallel] =
      /^(program|manifests|ratio|settings):(\d+):(\d+)$/.exec(spec) ?? [];
    if (!shape) throw new Error(`${spec} is not shape:deployments:parallel, such as program:100:8.`);
    return { shape: shape as Fleet["shape"], deployments: Number(deployments), parallel: Number(parallel) };
  });
  const folder = mkdtempSync(join(tmpdir(), "agentserver-fleet-"));
  const rows: string[][] = [];
  const compared: string[][] = [];
  const settings: string[][] = [];
  const bounds: Bound[] = [];
  const curve: Curve = { real: [], idle: [] };
  try {
    await ensureBuilt();
    await installPackage(folder);
    for (const fleet of fleets) {
      if (fleet.shape === "ratio") await compare(folder, fleet, compared, bounds, curve);
      else if (fleet.shape === "settings")
        settings.push(...(await withSettings(folder, fleet.deployments, fleet.parallel)));
      else await measure(folder, fleet, rows);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exitCode = storeResults("fleet", {
    tables: [
      ...(compared.length > 0
        ? [
            {
              title: "Compared with a dynamic provider that does nothing, medians in seconds",
              columns: ["deployments:parallel", "command", "pulumi-agentserver", "empty provider", "ratio"],
              rows: compared,
            },
          ]
        : []),
      ...(settings.length > 0
        ? [
            {
              title: "With engine settings that affect how state is written, in seconds",
              columns: ["deployments:parallel", "setting", "`up`, all created", "`destroy`"],
              rows: settings,
            },
          ]
        : []),
      ...(rows.length > 0
        ? [{ title: "Measured separately, with rollouts of several seconds", columns: commandColumns, rows }]
        : []),
    ],
    plots: curve.real.length > 2 ? [timeAgainstSize(curve)] : [],
    bounds,
  });
}

/** Durations of previews without changes, as pairs of the number of deployments and the duration. */
type Curve = Record<"real" | "idle", [number, number][]>;

async function compare(
  folder: string,
  { deployments, parallel }: Fleet,
  rows: string[][],
  bounds: Bound[],
  curve: Curve,
): Promise<void> {
  const { seconds, stateKibibytes } = await ratios(folder, deployments, parallel, roundsOf(deployments));
  for (const [what, { real, idle }] of seconds) {
    const ratio = median(real) / median(idle);
    rows.push([
      `${deployments}:${parallel}`,
      what,
      median(real).toFixed(2),
      median(idle).toFixed(2),
      ratio.toFixed(2),
    ]);
    const changes = what.includes("all") || what.includes("destroy");
    const most = deployments < 10 ? 1.1 : changes ? 1.2 : 1.15;
    if (deployments >= 10 || !changes)
      bounds.push({
        what: `${deployments} ${deployments === 1 ? "deployment" : "deployments"}, ${what}: ratio to the empty provider`,
        measured: Math.round(ratio * 100) / 100,
        most,
      });
    if (!what.startsWith("preview")) continue;
    curve.real.push([deployments, median(real)]);
    curve.idle.push([deployments, median(idle)]);
  }
  const { real, idle } = stateKibibytes;
  rows.push([
    `${deployments}:${parallel}`,
    "state size, KiB",
    String(real),
    String(idle),
    (real / idle).toFixed(2),
  ]);
}

function timeAgainstSize({ real, idle }: Curve): Plot {
  return {
    file: "fleet",
    title: "Preview without changes",
    x: { title: "deployments", scale: "log" },
    y: { title: "seconds", scale: "log" },
    series: [
      { name: "pulumi-agentserver", style: "line", points: real },
      { name: "empty provider", style: "line", points: idle },
    ],
  };
}

async function measure(folder: string, fleet: Fleet, rows: string[][]): Promise<void> {
  const { deployments: size, parallel } = fleet;
  const shape = fleet.shape as Shape;
  const project = join(folder, `${shape}-${size}-${parallel}`);
  const plane = await startControlPlane();
  plane.admin.steer({ pace: { secondsPerStatus: 1 } });
  const engine = await ensureEngine();
  const watch = stopwatchOf(project, engine, plane);
  const program = programs[shape];
  try {
    program.declare(project, size);
    await watch.run("stack", "init", "fleet");
    const apply = ["--yes", "--skip-preview", `--parallel=${parallel}`];
    const say = (what: string, figures: Figures) => rows.push(row(fleet, what, figures));
    say("preview, all created", await watch.run("preview"));
    say("up, all created", await watch.run("up", ...apply));
    say("preview, no changes", await watch.run("preview"));
    say("up, no changes", await watch.run("up", ...apply));
    say("preview --refresh", await watch.run("preview", "--refresh"));
    program.change(project, size);
    say("up, one changed", await watch.run("up", ...apply));
    const kibibytes = Math.round((await watch.state()).length / 1024);
    rows.push([nameOf(fleet), `state: ${kibibytes} KiB`, "", "", "", ""]);
    say("destroy", await watch.run("destroy", ...apply));
  } finally {
    await plane.close();
  }
}

function row(fleet: Fleet, what: string, { seconds, mebibytes, reads, writes }: Figures): string[] {
  return [nameOf(fleet), what, seconds.toFixed(1), String(mebibytes), String(reads), String(writes)];
}

function nameOf({ shape, deployments, parallel }: Fleet): string {
  return `${shape === "program" ? "" : `${shape} `}${deployments}:${parallel}`;
}
