import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { withLock } from "../lock.cjs";
import { run } from "../process";
import { Progress } from "../progress";
import { compiler, repositoryRoot } from "../repository";
import { sourceHash } from "./source-hash";
import { buildFolder, stampOf } from "./stamped-folder";
import { type BuildTarget, buildTargets } from "./targets";

/** Options of `ensureBuilt`. All have defaults. */
export interface EnsureBuiltOptions {
  root?: string;
  targets?: BuildTarget[];
  progress?: Progress;
  signal?: AbortSignal;
}

/** Compiles or bundles the targets whose sources have changed. */
export async function ensureBuilt(options: EnsureBuiltOptions = {}): Promise<void> {
  const { root = repositoryRoot, targets = buildTargets, progress = new Progress(), signal } = options;
  const isStale = (target: BuildTarget) => stampOf(join(root, target.output)) !== sourceHash(root, target);
  if (!targets.some(isStale)) return;
  const build = async () => {
    for (const target of targets.filter(isStale)) {
      await progress.step(`building ${target.name}`, () => compile(root, target, signal));
    }
  };
  await withLock(join(root, ".agentserver", "build.lock"), build, { signal });
}

async function compile(root: string, target: BuildTarget, signal: AbortSignal | undefined): Promise<void> {
  const output = join(root, target.output);
  await buildFolder(output, sourceHash(root, target), join(root, ".agentserver"), async (folder) => {
    const compilation = [compiler, "-p", join(root, target.config), "--outDir", folder, "--pretty", "false"];
    const steps = [
      target.script ? [join(root, target.script), root, folder] : compilation,
      ...(target.bundler ? [[join(root, target.bundler), root, folder]] : []),
    ];
    for (const args of steps) {
      const { code, stdout, stderr } = await run(process.execPath, args, { cwd: root, signal });
      if (code !== 0) throw new Error(`${target.name} does not compile:\n${`${stdout}${stderr}`.trim()}`);
    }
    copyFiles(folder, target);
  });
}

function copyFiles(output: string, { copies = {} }: BuildTarget): void {
  for (const [folder, { from, files }] of Object.entries(copies)) {
    const source = dirname(require.resolve(`${from}/package.json`));
    mkdirSync(join(output, folder), { recursive: true });
    for (const file of files) copyFileSync(join(source, file), join(output, folder, file));
  }
}
