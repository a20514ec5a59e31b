import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { extract } from "tar";
import { startControlPlane } from "../../emulator/index";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { ensureEngine } from "../../tools/engine/ensure";
import { engineEnvironment } from "../../tools/engine/environment";
import { packInto } from "../../tools/quickstart/packed";
import { repositoryRoot } from "../../tools/repository";
import { programs, type Shape } from "./programs";
import { type Figures, Stopwatch } from "./stopwatch";

/** What the package and the programs need beside it. */
const linked = ["@pulumi", "axios", "cli-table3", "commander", "typescript", "yaml", "zod"];

/** One stack to measure. */
interface Fleet {
  shape: Shape;
  deployments: number;
  /** Resources that the engine works on at once. */
  parallel: number;
}

/** By default without the thousand, which takes a quarter of an hour. */
const usual = ["program:10:8", "manifests:10:8", "program:100:8", "manifests:100:8", "program:100:100"];

void main(process.argv.length > 2 ? process.argv.slice(2) : usual).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

/** Measures what stacks of so many deployments cost; each word is `shape:deployments:parallel`. */
async function main(words: string[]): Promise<void> {
  const fleets = words.map((word): Fleet => {
    const [, shape, deployments, parallel] = /^(program|manifests):(\d+):(\d+)$/.exec(word) ?? [];
    if (!shape) throw new Error(`${word} is not shape:deployments:parallel, such as program:100:8.`);
    return { shape: shape as Shape, deployments: Number(deployments), parallel: Number(parallel) };
  });
  const folder = mkdtempSync(join(tmpdir(), "agentserver-fleet-"));
  try {
    await ensureBuilt();
    await installPackage(folder);
    console.log(`${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`);
    for (const fleet of fleets) await measure(folder, fleet);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function installPackage(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  await extract({ file: await packInto(folder), cwd: folder });
  for (const name of linked) symlinkSync(join(repositoryRoot, "node_modules", name), join(modules, name));
  symlinkSync(join(folder, "package"), join(modules, "pulumi-agentserver"));
}

async function measure(folder: string, fleet: Fleet): Promise<void> {
  const { shape, deployments: size, parallel } = fleet;
  const project = join(folder, `${shape}-${size}-${parallel}`);
  const plane = await startControlPlane();
  plane.admin.steer({ pace: { secondsAStatus: 1 } });
  const engine = await ensureEngine();
  const env = {
    ...engineEnvironment({ engine, stateFolder: join(project, "engine"), passphrase: "open" }),
    PULUMI_STACK: "fleet",
    AGENTSERVER_BASE_URL: plane.baseUrl,
    AGENTSERVER_API_KEY: plane.apiKey,
    AGENTSERVER_TENANT_ID: plane.tenantId,
  };
  const watch = new Stopwatch(engine.pulumi, project, env, plane.admin);
  const program = programs[shape];
  try {
    program.declare(project, size);
    await watch.run("stack", "init", "fleet");
    const apply = ["--yes", "--skip-preview", `--parallel=${parallel}`];
    const say = (what: string, figures: Figures) => console.log(row(fleet, what, figures));
    say("preview of all creates", await watch.run("preview"));
    say("up that creates all", await watch.run("up", ...apply));
    say("preview, no change", await watch.run("preview"));
    say("up, no change", await watch.run("up", ...apply));
    say("preview --refresh", await watch.run("preview", "--refresh"));
    program.change(project, size);
    say("up that changes one", await watch.run("up", ...apply));
    console.log(`  state: ${Math.round((await watch.stateBytes()) / 1024)} KiB`);
    say("destroy", await watch.run("destroy", ...apply));
  } finally {
    await plane.close();
  }
}

function row({ shape, deployments, parallel }: Fleet, what: string, figures: Figures): string {
  const { seconds, mebibytes, reads, writes } = figures;
  const name = `${shape}:${deployments}:${parallel} ${what}`.padEnd(44);
  return `${name} ${seconds.toFixed(1).padStart(7)} s ${String(mebibytes).padStart(6)} MiB  ${reads} reads, ${writes} writes`;
}
