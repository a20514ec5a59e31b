// Finds and stops everything that a command has started, including process groups in the background, daemons in other
// sessions, and processes with a changed name or environment.
const { readdirSync, readFileSync, rmdirSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { setTimeout: sleep } = require("node:timers/promises");

/** Environment variable whose value identifies the process tree. Processes inherit it. */
const treeVariable = "AGENTSERVER_SCOPE";
/** Prefix for the names of control groups, followed by the value of the tree's variable. */
const cgroupPrefix = "agentserver-";
/** Number of consecutive scans that must find no process, because a scan is not atomic. */
const emptyScans = 3;
const scanIntervalMs = 5;

/**
 * A process tree. A process belongs to the tree if any one of these properties matches.
 *
 * @typedef {object} ProcessTree
 * @property {number} [group] ID of a process group.
 * @property {number} [root] Process whose descendants belong to the tree, but not the process itself.
 * @property {string} [id] Value of the environment variable.
 * @property {string} [cgroup] Folder of a control group.
 * @property {string[]} [owners] Owners of trees. A process matches if the value of its environment variable, or the
 * name of its control group (after `cgroupPrefix`), starts with an owner and a hyphen.
 */

/**
 * Kills all processes of a process tree except the calling process. Resolves when none is left, or with the IDs of
 * processes that could not be stopped within the timeout.
 *
 * @param {ProcessTree} tree
 */
async function killTree(tree, withinMs = 5000) {
  if (!hasProcFileSystem()) return endGroup(tree.group);
  const until = performance.now() + withinMs;
  let known = new Set();
  let empty = 0;
  for (;;) {
    killNewest(tree.root);
    const { left, children } = scan(tree);
    // A scan may miss a process that exits or loses its parent during the scan. Such a process becomes a new child of
    // this process.
    const quiet = left.length === 0 && children.every((pid) => known.has(pid));
    known = new Set(children);
    empty = quiet ? empty + 1 : 0;
    if (empty === emptyScans || performance.now() > until) {
      if (left.length === 0) removeCgroup(tree.cgroup);
      return left;
    }
    // Synchronous, so that no process can be started in between.
    if (!inCgroup(tree.cgroup)) attempt(() => writeFileSync(join(tree.cgroup, "cgroup.kill"), "1"));
    for (const pid of left) attempt(() => process.kill(pid, "SIGKILL"));
    await sleep(scanIntervalMs);
  }
}

/**
 * Repeatedly kills the newest children of a reaper, because these processes may fork and exit before a scan finds them.
 */
function killNewest(root) {
  if (root !== process.pid) return;
  for (let times = 0; times < 100; times++) {
    const children = attempt(() => readFileSync(`/proc/${root}/task/${root}/children`, "latin1")) ?? "";
    const newest = children.trim().split(" ").slice(-4).filter(Boolean);
    if (newest.length === 0) return;
    for (const pid of newest.reverse()) attempt(() => process.kill(Number(pid), "SIGKILL"));
  }
}

/** Runs `start` in a new control group, if possible, and returns its result. */
function startInCgroup(cgroup, start) {
  const { mkdirSync } = require("node:fs");
  const home = join(cgroup, "..");
  try {
    mkdirSync(cgroup);
    enterCgroup(cgroup);
  } catch {
    removeCgroup(cgroup);
    return start();
  }
  try {
    return start();
  } finally {
    // Even if this process cannot return to its own group, it is not stopped together with the other processes.
    attempt(() => enterCgroup(home));
  }
}

function enterCgroup(cgroup) {
  writeFileSync(join(cgroup, "cgroup.procs"), String(process.pid));
}

/** Returns the IDs of the tree's running processes, and of all children of its root, running or exited. */
function scan({ group, root, id, cgroup, owners = [] }) {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statusOf(Number(pid)) ?? []);
  const processes = all.filter(({ ended }) => !ended);
  const found = new Set(cgroup === undefined ? [] : processesIn(cgroup));
  for (const { pid, pgrp } of processes) if (pgrp === group) found.add(pid);
  if (root !== undefined) for (const pid of descendants(root, processes)) found.add(pid);
  if (id !== undefined)
    for (const { pid } of processes) if (!found.has(pid) && carries(pid, `${id}\0`)) found.add(pid);
  for (const { pid } of processes)
    if (owners.some((owner) => carries(pid, `${owner}-`) || isInCgroupOf(pid, owner))) found.add(pid);
  found.delete(process.pid);
  // A control group lists processes of other namespaces as 0, which has another meaning for `kill`.
  found.delete(0);
  const children = root === undefined ? [] : all.filter(({ parent }) => parent === root);
  return { left: [...found], children: children.map(({ pid }) => pid) };
}

/**
 * Returns information about a process, or `undefined` if the process does not exist. `ended` is true if all threads of
 * the process have exited but it has not been reaped.
 */
function statusOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name is in parentheses and may contain any characters.
    const [state, parent, pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ended = "ZX".includes(state) && readdirSync(`/proc/${pid}/task`).length < 2;
    return { pid, parent: Number(parent), pgrp: Number(pgrp), ended };
  } catch {
    return undefined;
  }
}

function descendants(root, processes) {
  const found = [root];
  for (const one of found)
    for (const { pid, parent } of processes) if (parent === one && !found.includes(pid)) found.push(pid);
  return found.slice(1);
}

function carries(pid, value) {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(`\0${treeVariable}=${value}`);
  } catch {
    return false;
  }
}

/**
 * True if a process is in a control group of this owner, in any folder, because other sessions of the user may use a
 * different folder.
 */
function isInCgroupOf(pid, owner) {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, "utf8").includes(`/${cgroupPrefix}${owner}-`);
  } catch {
    return false;
  }
}

/** Removes empty control groups of these owners. */
function removeCgroupsOf(owners, home) {
  const names = attempt(() => readdirSync(home)) ?? [];
  for (const name of names)
    if (owners.some((owner) => name.startsWith(`${cgroupPrefix}${owner}-`))) removeCgroup(join(home, name));
}

/** Returns the processes in a control group and in its descendants. */
function processesIn(cgroup) {
  const own = attempt(() => readFileSync(join(cgroup, "cgroup.procs"), "utf8")) ?? "";
  return [...own.split("\n").filter(Boolean).map(Number), ...groupsIn(cgroup).flatMap(processesIn)];
}

function inCgroup(cgroup) {
  return cgroup === undefined || processesIn(cgroup).includes(process.pid);
}

function removeCgroup(cgroup) {
  if (cgroup === undefined) return;
  for (const inner of groupsIn(cgroup)) removeCgroup(inner);
  attempt(() => rmdirSync(cgroup));
}

function groupsIn(cgroup) {
  const entries = attempt(() => readdirSync(cgroup, { withFileTypes: true })) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(cgroup, name));
}

function hasProcFileSystem() {
  return attempt(() => readFileSync("/proc/self/stat")) !== undefined;
}

/** Stops a process group. This is the only option if processes cannot be listed. */
async function endGroup(group, withinMs = 300) {
  if (group === undefined) return [];
  for (let waited = 0; waited < withinMs; waited += scanIntervalMs) {
    // The signal fails if only exited processes are left.
    if (attempt(() => process.kill(-group, "SIGKILL")) === undefined) break;
    await sleep(scanIntervalMs);
  }
  return [];
}

function attempt(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

module.exports = { cgroupPrefix, killTree, removeCgroup, removeCgroupsOf, treeVariable, startInCgroup };
