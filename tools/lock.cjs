"use strict";
const {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} = require("node:fs");
const { dirname, join } = require("node:path");

const pollMs = 250;
const heartbeatMs = 5_000;
/**
 * Age after which a lock is stale. A live owner updates its lock every few seconds. After this time, the process ID may
 * belong to another process.
 */
const staleMs = 60_000;

/**
 * Runs `work` while holding the lock folder at `path`. Waits if another live process holds it. Written in plain
 * JavaScript without dependencies, because the bootstrap uses it before anything is installed.
 */
async function withLock(path, work, { signal, onWait } = {}) {
  const release = await acquire(path, signal, onWait);
  try {
    return await work();
  } finally {
    release();
  }
}

async function acquire(path, signal, onWait) {
  let reported = false;
  for (;;) {
    signal?.throwIfAborted();
    if (tryAcquire(path)) return keepAlive(path);
    const owner = ownerOf(path);
    if (owner !== undefined && !isHeld(path, owner)) {
      removeStale(path, owner);
      continue;
    }
    if (owner !== undefined && !reported) {
      reported = true;
      onWait?.(owner);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/**
 * Acquires the lock if it is free: writes the process ID to a new folder, and renames that folder to `path`. This fails
 * if another process holds the lock, because the lock folder is not empty.
 */
function tryAcquire(path) {
  const candidate = unique(path);
  mkdirSync(dirname(path), { recursive: true });
  mkdirSync(candidate);
  writeFileSync(join(candidate, "pid"), String(process.pid));
  try {
    renameSync(candidate, path);
    return true;
  } catch (error) {
    rmSync(candidate, { recursive: true, force: true });
    if (["ENOTEMPTY", "EEXIST", "EPERM"].includes(error.code)) return false;
    throw error;
  }
}

function keepAlive(path) {
  const beat = setInterval(() => {
    try {
      utimesSync(join(path, "pid"), new Date(), new Date());
    } catch {
      clearInterval(beat);
    }
  }, heartbeatMs);
  beat.unref();
  const release = () => {
    clearInterval(beat);
    process.off("exit", release);
    if (ownerOf(path) === process.pid) remove(path);
  };
  process.on("exit", release);
  return release;
}

function ownerOf(path) {
  try {
    return Number(readFileSync(join(path, "pid"), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function isHeld(path, owner) {
  try {
    return isAlive(owner) && Date.now() - statSync(join(path, "pid")).mtimeMs < staleMs;
  } catch {
    return true;
  }
}

/**
 * Removes a stale lock. The lock is moved before it is checked again, so that only one of several processes removes it.
 */
function removeStale(path, owner) {
  const aside = unique(path);
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (ownerOf(aside) !== owner) {
    try {
      renameSync(aside, path);
      return;
    } catch {
      // Another process acquired the lock in the meantime, so the lock that was moved is no longer valid.
    }
  }
  rmSync(aside, { recursive: true, force: true });
}

function remove(path) {
  const aside = unique(path);
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  rmSync(aside, { recursive: true, force: true });
}

/** True if a process with this ID exists, even if it belongs to another user. */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function unique(path) {
  return `${path}.${process.pid}.${Math.random().toString(36).slice(2, 10)}`;
}

module.exports = { withLock, isAlive };
