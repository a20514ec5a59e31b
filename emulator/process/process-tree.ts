import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { onPath } from "./on-path";
import { shippedScript } from "./package-folder";

/**
 * Mechanism that keeps the processes of a tree together, in addition to their environment. From strongest to weakest: a
 * control group, which a process cannot leave on its own; a reaper, which adopts all orphaned processes; or none.
 */
export type TreeHold = "cgroup" | "reaper" | "environment";

/** All processes that one command starts. */
export interface ProcessTree {
  id: string;
  hold: TreeHold;
  /** Folder of the control group; absent if the tree does not have a control group. */
  cgroup: string | undefined;
}

interface ProcessTreeScript {
  cgroupPrefix: string;
  killTree(tree: {
    id?: string;
    cgroup?: string;
    root?: number;
    owners?: readonly string[];
  }): Promise<number[]>;
  removeCgroup(folder: string): void;
  removeCgroupsOf(owners: readonly string[], home: string): void;
  treeVariable: string;
}

/**
 * Returns the owner of a deployment's process trees. It is derived from the deployment's folder, so that a later
 * control plane can find the processes of an earlier one.
 */
export function treeOwner(folder: string): string {
  const path = existsSync(folder) ? realpathSync(folder) : resolve(folder);
  return createHash("sha256").update(path).digest("hex").slice(0, 16);
}

/**
 * Creates a process tree.
 *
 * @param hold - Defaults to the strongest mechanism that the machine supports.
 * @param owner - See `treeOwner`. Defaults to none.
 */
export function newProcessTree(hold: TreeHold = strongestHold(), owner = "none"): ProcessTree {
  const id = `${owner}-${randomUUID()}`;
  const home = hold === "cgroup" ? ownCgroup() : undefined;
  return { id, hold, cgroup: home && join(home, `${script().cgroupPrefix}${id}`) };
}

/** Returns the program and arguments that run a supervisor for the tree. See `child/supervise.mjs`. */
export function supervisorCommand({ hold, cgroup }: ProcessTree, graceMs: number): [string, ...string[]] {
  const supervisor = [
    shippedScript("process/child/supervise.mjs"),
    "--environment",
    `--grace=${graceMs}`,
    ...(cgroup ? [`--cgroup=${cgroup}`] : []),
  ];
  if (hold !== "reaper") return [process.execPath, ...supervisor];
  return [
    onPath("perl").at(0) ?? "perl",
    "-e",
    becomeReaper,
    String(prctl[process.arch]),
    process.execPath,
    ...supervisor,
  ];
}

/** Returns the variables that the tree adds to the environment of its command and the command's descendants. */
export function commandEnvironment({ id }: ProcessTree): Record<string, string> {
  return { [script().treeVariable]: id };
}

/** Returns the variables that the tree adds to the environment of its supervisor. */
export function supervisorEnvironment(tree: ProcessTree): Record<string, string> {
  return { ...commandEnvironment(tree), ...(tree.hold === "reaper" ? { PERL_BADLANG: "0" } : {}) };
}

/**
 * Kills the remaining processes of a tree whose supervisor has exited or does not work.
 *
 * @param supervisor - ID of the supervisor, if it still exists. Its descendants belong to the tree.
 */
export async function killTree({ id, cgroup }: ProcessTree, supervisor?: number): Promise<void> {
  const root = supervisor === undefined ? {} : { root: supervisor };
  await script().killTree({ id, ...(cgroup ? { cgroup } : {}), ...root });
}

/** Kills the remaining processes of all trees with these owners, including trees that another process created. */
export async function killTreesOf(owners: readonly string[]): Promise<void> {
  if (owners.length === 0) return;
  await script().killTree({ owners });
  const home = ownCgroup();
  if (home !== undefined) script().removeCgroupsOf(owners, home);
}

function script(): ProcessTreeScript {
  const path = shippedScript("process/child/process-tree.cjs");
  return createRequire(path)(path) as ProcessTreeScript;
}

function strongestHold(): TreeHold {
  if (process.platform !== "linux") return "environment";
  const home = ownCgroup();
  if (home !== undefined && canMakeGroups(home)) return "cgroup";
  return process.arch in prctl && onPath("perl").length > 0 ? "reaper" : "environment";
}

/** Returns the control group folder (version 2) of this process, if it may create groups below it. */
function ownCgroup(): string | undefined {
  try {
    const path = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    const mounts = readFileSync("/proc/self/mountinfo", "utf8");
    const [, root, mountPoint] = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(mounts) ?? [];
    if (!path || !root || !mountPoint) return undefined;
    const folder = join(mountPoint, path.startsWith(root) ? path.slice(root.length) : path);
    for (const place of [folder, join(folder, "cgroup.procs")]) accessSync(place, constants.W_OK);
    return folder;
  } catch {
    return undefined;
  }
}

/**
 * True if a process can actually be moved to a group below this one. This depends on limits and delegation, which the
 * files of the group do not reveal.
 */
function canMakeGroups(home: string): boolean {
  const probe = join(home, `${script().cgroupPrefix}probe-${randomUUID()}`);
  try {
    mkdirSync(probe);
    return spawnSync("sh", ["-c", 'echo 0 > "$0/cgroup.procs"', probe], { stdio: "ignore" }).status === 0;
  } catch {
    return false;
  } finally {
    script().removeCgroup(probe);
  }
}

/** Numbers of the `prctl` system call, by architecture. */
const prctl: Partial<Record<string, number>> = {
  arm: 172,
  arm64: 167,
  loong64: 167,
  ppc64: 171,
  riscv64: 167,
  s390x: 172,
  x64: 157,
};

/**
 * Perl script that makes the process a permanent reaper of its orphaned descendants (PR_SET_CHILD_SUBREAPER), which is
 * not possible in Node.js. It runs without a locale, because Perl would warn about missing locales.
 */
const becomeReaper = "syscall(0 + shift, 36, 1, 0, 0, 0); exec { $ARGV[0] } @ARGV or exit 127";
