import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "../rollout/repository";

/** A folder on a disk that can be filled and freed. */
export interface Disk {
  folder: string;
  /**
   * @param pid - Process that writes to the disk, together with its descendants.
   * @param room - Number of bytes to leave free.
   */
  fill(pid: number, room?: number): void;
  free(pid: number): void;
}

const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) {
    execFileSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true });
  }
});

/**
 * Returns the reason that disks cannot be mounted on this machine, or `undefined` if they can. Mounting requires
 * privileges.
 */
export function mountObstacle(): string | undefined {
  // The mount is in a separate namespace, so it ends with the command.
  const words = ["--mount", "mount", "-t", "tmpfs", "tmpfs", tmpdir()];
  const { status, stderr, error } = spawnSync("unshare", words, { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Mounts a real disk with 16 MB in a new folder. */
export function smallDisk(): Disk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-disk-")));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", folder]);
  mounted.push(folder);
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill(_pid, room = 0) {
      const reserve = join(folder, "reserve");
      writeFileSync(reserve, Buffer.alloc(room));
      for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) while (appended(ballast, size));
      rmSync(reserve);
    },
    free: () => rmSync(ballast, { force: true }),
  };
}

/**
 * Prevents the files below a folder of this disk from being opened for writing. Returns a function that reverts this.
 */
export function readOnly(folder: string): () => void {
  execFileSync("mount", ["--bind", folder, folder]);
  execFileSync("mount", ["-o", "remount,bind,ro", folder]);
  return () => execFileSync("umount", ["--lazy", folder]);
}

function appended(file: string, size: number): boolean {
  try {
    writeFileSync(file, Buffer.alloc(size), { flag: "a" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates a folder on the disk of the machine. To simulate a full disk, processes are prevented from writing any files.
 */
export function limitedDisk(): Disk {
  const limit = (pid: number, soft: string) => {
    for (const one of [pid, ...descendants(pid)])
      // Some processes exit in the meantime.
      spawnSync("prlimit", ["--pid", String(one), `--fsize=${soft}:unlimited`]);
  };
  return {
    folder: temporaryFolder("disk"),
    fill: (pid) => limit(pid, "0"),
    free: (pid) => limit(pid, "unlimited"),
  };
}

function descendants(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const found = [pid];
  for (const one of found)
    found.push(...parents.filter(([, parent]) => parent === one).map(([child]) => child));
  return found.slice(1);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(
      stat
        .slice(stat.lastIndexOf(")") + 1)
        .trim()
        .split(" ")[1],
    );
  } catch {
    return undefined;
  }
}
