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
/** A live owner touches its lock every few seconds; one that stopped doing so is gone, whoever has its pid now. */
const staleMs = 60_000;

/**
 * Runs `work` while holding the lock folder at `path`; waits for another live process that holds it.
 * Plain JavaScript without dependencies: the bootstrap needs it before anything is installed.
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
    if (tryTake(path)) return keepAlive(path);
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

/** The pid is inside before the folder gets its name, and a rename onto a folder that is not empty fails. */
function tryTake(path) {
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
    if (ownerOf(path) === process.pid) discard(path);
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

/** Moving first, then looking again, so that of two processes that saw the same stale lock only one removes it. */
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
      // Somebody took the lock in between; the one moved aside has lost it.
    }
  }
  rmSync(aside, { recursive: true, force: true });
}

function discard(path) {
  const aside = unique(path);
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  rmSync(aside, { recursive: true, force: true });
}

/** Whether a process with this id exists, also one of another user. */
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
