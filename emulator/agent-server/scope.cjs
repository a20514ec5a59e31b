// Finds and ends everything that a command has started, wherever it went: as a group in the background, as a daemon of
// its own session, under a changed name, with an environment of its own.
const { readdirSync, readFileSync, rmdirSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { setTimeout: sleep } = require("node:timers/promises");

/** Environment variable whose value names the scope; processes inherit it. */
const scopeVariable = "AGENTSERVER_SCOPE";
/** What names of control groups begin with; a scope's value of the variable follows. */
const cgroupPrefix = "agentserver-";
/** Looks in a row that have to find nobody, because one is not made at one moment. */
const emptyLooks = 3;
const lookEveryMs = 5;

/**
 * A scope; a process belongs to it by any one of these.
 *
 * @typedef {object} Scope
 * @property {number} [group] Id of a process group.
 * @property {number} [root] Process whose descendants belong to the scope, itself excepted.
 * @property {string} [id] Value of the environment variable.
 * @property {string} [cgroup] Folder of a control group.
 * @property {string[]} [owners] Beginnings of such values and of names of control groups, each up to a hyphen.
 */

/**
 * Kills all of a scope but the calling process. Resolves when nothing of it is left, with the ids of processes that
 * could not be ended within the time.
 *
 * @param {Scope} scope
 */
async function endScope(scope, withinMs = 5000) {
  if (!hasProcFileSystem()) return endGroup(scope.group);
  const until = performance.now() + withinMs;
  let known = new Set();
  let empty = 0;
  for (;;) {
    killNewest(scope.root);
    const { left, children } = look(scope);
    // Whoever ended or lost its parent during a look may have been missed; its own end leaves a new child here.
    const quiet = left.length === 0 && children.every((pid) => known.has(pid));
    known = new Set(children);
    empty = quiet ? empty + 1 : 0;
    if (empty === emptyLooks || performance.now() > until) {
      if (left.length === 0) removeCgroup(scope.cgroup);
      return left;
    }
    // At once, so that nothing can be started in between.
    if (!inCgroup(scope.cgroup)) attempt(() => writeFileSync(join(scope.cgroup, "cgroup.kill"), "1"));
    for (const pid of left) attempt(() => process.kill(pid, "SIGKILL"));
    await sleep(lookEveryMs);
  }
}

/** Processes that fork and end faster than all can be looked at: the newest children of their reaper, again and again. */
function killNewest(root) {
  if (root !== process.pid) return;
  for (let times = 0; times < 100; times++) {
    const children = attempt(() => readFileSync(`/proc/${root}/task/${root}/children`, "latin1")) ?? "";
    const newest = children.trim().split(" ").slice(-4).filter(Boolean);
    if (newest.length === 0) return;
    for (const pid of newest.reverse()) attempt(() => process.kill(Number(pid), "SIGKILL"));
  }
}

/** Runs `start` inside a control group that is made for it, if that is possible; returns what it returns. */
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
    // Where there is no way back, this process is left alone when the others are ended.
    attempt(() => enterCgroup(home));
  }
}

function enterCgroup(cgroup) {
  writeFileSync(join(cgroup, "cgroup.procs"), String(process.pid));
}

/** Ids of the scope's processes that have not ended, and of all children of its root, ended or not. */
function look({ group, root, id, cgroup, owners = [] }) {
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
  // What a control group lists as 0 cannot be named from here, and means something else to `kill`.
  found.delete(0);
  const children = root === undefined ? [] : all.filter(({ parent }) => parent === root);
  return { left: [...found], children: children.map(({ pid }) => pid) };
}

/** Undefined for processes that are not there; `ended` are those that have, with all their threads, and are not collected. */
function statusOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything.
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
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(`\0${scopeVariable}=${value}`);
  } catch {
    return false;
  }
}

/** Wherever that control group is: another session of the user may have another place for them. */
function isInCgroupOf(pid, owner) {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, "utf8").includes(`/${cgroupPrefix}${owner}-`);
  } catch {
    return false;
  }
}

/** Removes control groups of these owners that nobody is in any more. */
function removeCgroupsOf(owners, home) {
  const names = attempt(() => readdirSync(home)) ?? [];
  for (const name of names)
    if (owners.some((owner) => name.startsWith(`${cgroupPrefix}${owner}-`))) removeCgroup(join(home, name));
}

/** Those in control groups below it, too. */
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

/** Where processes cannot be looked up, their group is all that is known. */
async function endGroup(group, withinMs = 300) {
  if (group === undefined) return [];
  for (let waited = 0; waited < withinMs; waited += lookEveryMs) {
    // Refused when only processes are left that have ended.
    if (attempt(() => process.kill(-group, "SIGKILL")) === undefined) break;
    await sleep(lookEveryMs);
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

module.exports = { cgroupPrefix, endScope, removeCgroup, removeCgroupsOf, scopeVariable, startInCgroup };
