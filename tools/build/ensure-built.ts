import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { withLock } from "../lock.cjs";
import { run } from "../process";
import { Progress } from "../progress";
import { compiler, repositoryRoot } from "../repository";
import { sourceHash } from "./source-hash";
import { type BuildTarget, buildTargets } from "./targets";

/** Options of `ensureBuilt`. All have defaults. */
export interface EnsureBuiltOptions {
  root?: string;
  targets?: BuildTarget[];
  progress?: Progress;
  signal?: AbortSignal;
}

const stampName = ".agentserver-build";

/**
 * Compiles the packages whose sources have changed. The output of the previous build is only replaced by a complete
 * one, so an interrupted or failed build is repeated.
 */
export async function ensureBuilt(options: EnsureBuiltOptions = {}): Promise<void> {
  const { root = repositoryRoot, targets = buildTargets, progress = new Progress(), signal } = options;
  const isStale = (target: BuildTarget) => stampOf(root, target) !== sourceHash(root, target);
  if (!targets.some(isStale)) return;
  const build = async () => {
    for (const target of targets.filter(isStale)) {
      await progress.step(`building ${target.name}`, () => compile(root, target, signal));
    }
  };
  await withLock(join(root, ".agentserver", "build.lock"), build, { signal });
}

async function compile(root: string, target: BuildTarget, signal: AbortSignal | undefined): Promise<void> {
  const hash = sourceHash(root, target);
  const output = join(root, target.output);
  const fresh = mkdtempSync(join(root, ".agentserver", "build-"));
  try {
    const result = await run(
      process.execPath,
      [compiler, "-p", join(root, target.config), "--outDir", fresh, "--pretty", "false"],
      { cwd: root, signal },
    );
    if (result.code !== 0) throw new Error(`${target.name} does not compile:\n${result.stdout.trim()}`);
    copyFiles(fresh, target);
    writeFileSync(join(fresh, stampName), hash);
    replaceFolder(output, fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function copyFiles(output: string, { copies = {} }: BuildTarget): void {
  for (const [folder, { from, files }] of Object.entries(copies)) {
    const source = dirname(require.resolve(`${from}/package.json`));
    mkdirSync(join(output, folder), { recursive: true });
    for (const file of files) copyFileSync(join(source, file), join(output, folder, file));
  }
}

function replaceFolder(output: string, fresh: string): void {
  const last = `${fresh}-last`;
  if (existsSync(output)) renameSync(output, last);
  renameSync(fresh, output);
  rmSync(last, { recursive: true, force: true });
}

function stampOf(root: string, target: BuildTarget): string | undefined {
  const stamp = join(root, target.output, stampName);
  return existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined;
}
